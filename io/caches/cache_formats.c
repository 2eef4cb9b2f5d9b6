// The table of cache formats: its rows, and the lists of names that messages show.
#include "caches/cache_formats.h"

#include "caches/vtkhdf.h"

#include <stdio.h>
#include <string.h>

#define REFER(name) &pli_cache_row_##name,

static const pli_cache_row *const rows[] = {PLI_CACHE_FORMATS(REFER)};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

int32_t pli_cache_format_count(void) { return ROW_COUNT; }

const pli_cache_format *pli_cache_format_at(int32_t i) { return i >= 0 && i < ROW_COUNT ? &rows[i]->face : NULL; }

const pli_cache_row *pli_cache_row_named(const char *name)
{
    for (int32_t i = 0; name && i < ROW_COUNT; i++)
        if (strcmp(rows[i]->face.name, name) == 0)
            return rows[i];
    return NULL;
}

const pli_cache_row *pli_cache_row_of_extension(const char *extension)
{
    for (int32_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(rows[i]->face.extension, extension) == 0)
            return rows[i];
    return NULL;
}

const pli_cache_row *pli_cache_row_load(const pli_cache_row *row, const char *what, pli_error *error)
{
    if (!row->library)
        return row;
    const pli_cache_plugin *plugin = (const pli_cache_plugin *)pli_plugin_load(row->library, row->symbol, what,
                                                                               row->package, error);
    return plugin ? plugin->row : NULL;
}

static bool listed(const pli_cache_row *row, pli_cache_list_kind kind)
{
    return kind == PLI_CACHE_LIST_READABLE   ? row->face.can_read
           : kind == PLI_CACHE_LIST_CHANGING ? row->face.variable_topology
                                             : true;
}

void pli_cache_list(pli_cache_list_kind kind, char *text, size_t size)
{
    int32_t count = 0, number = 0;
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < ROW_COUNT; i++)
        count += listed(rows[i], kind);
    for (int32_t i = 0; i < ROW_COUNT && used < size; i++) {
        if (!listed(rows[i], kind))
            continue;
        const char *before = number == 0 ? "" : number + 1 == count ? " and " : ", ";
        used += (size_t)snprintf(text + used, size - used, "%s%s", before, rows[i]->face.name);
        number++;
    }
}
