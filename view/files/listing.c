// Reads a folder once; it is read again whenever it is shown again.
#define _XOPEN_SOURCE 700
#include "files/listing.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static void add(pli_view_listing *l, const char *name, bool (*opens)(const char *name))
{
    char *path = pli_cli_format("%s/%s", l->folder, name);
    const bool folder = pli_cli_is_folder(path);
    free(path);
    if (name[0] == '.' || !(folder || opens(name)))
        return;
    pli_view_entry *grown = realloc(l->entries, ((size_t)l->count + 1) * sizeof *grown);
    if (!grown)
        return;
    l->entries = grown;
    l->entries[l->count++] = (pli_view_entry){pli_cli_format("%s", name), folder};
}

static int by_name(const void *a, const void *b)
{
    const pli_view_entry *one = a, *other = b;
    return one->folder != other->folder ? other->folder - one->folder : strcmp(one->name, other->name);
}

bool pli_view_listing_read(pli_view_listing *l, const char *folder, bool (*opens)(const char *name))
{
    char *whole = realpath(folder, NULL);
    DIR *directory = whole ? opendir(whole) : NULL;
    if (!directory) {
        free(whole);
        return false;
    }
    pli_view_listing_release(l);
    l->folder = whole;
    for (struct dirent *entry; (entry = readdir(directory));)
        add(l, entry->d_name, opens);
    closedir(directory);
    if (l->count > 0)
        qsort(l->entries, (size_t)l->count, sizeof *l->entries, by_name);
    return true;
}

void pli_view_listing_release(pli_view_listing *l)
{
    for (int32_t i = 0; i < l->count; i++)
        free(l->entries[i].name);
    free(l->entries);
    free(l->folder);
    *l = (pli_view_listing){0};
}
