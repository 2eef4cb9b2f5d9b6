// A small JSON file.
#include "files/preferences.h"

#include "frame/folders.h"
#include "frame/strings.h"

#include <jansson.h>

#include <stdlib.h>
#include <string.h>

enum { QUALITIES = 4, QUALITY_PLAIN = 1 };

pli_view_preferences pli_view_preferences_default(void)
{
    return (pli_view_preferences){.zoom = 1.0f, .quality = QUALITY_PLAIN};
}

char *pli_view_preferences_path(void)
{
    const char *folder = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (folder && folder[0] == '/')
        return pli_cli_format("%s/pliant/viewer.json", folder);
    return home && home[0] == '/' ? pli_cli_format("%s/.config/pliant/viewer.json", home) : NULL;
}

void pli_view_preferences_read(pli_view_preferences *p, const char *path)
{
    json_t *root = json_load_file(path, 0, NULL), *item;
    if ((item = json_object_get(root, "light")) && json_is_boolean(item))
        p->light = json_is_true(item);
    if ((item = json_object_get(root, "knows_steps")) && json_is_boolean(item))
        p->knows_steps = json_is_true(item);
    const double zoom = json_number_value(json_object_get(root, "zoom"));
    if (zoom >= 0.5 && zoom <= 3.0)
        p->zoom = (float)zoom;
    if ((item = json_object_get(root, "quality")) && json_is_integer(item) && json_integer_value(item) >= 0 &&
        json_integer_value(item) < QUALITIES)
        p->quality = (int32_t)json_integer_value(item);
    json_decref(root);
}

pli_status pli_view_preferences_write(const pli_view_preferences *p, const char *path, pli_error *error)
{
    const char *slash = strrchr(path, '/');
    char *folder = pli_cli_format("%.*s", slash ? (int)(slash - path) : 0, path);
    pli_status status = folder[0] ? pli_cli_folder_make(folder, error) : PLI_STATUS_OK;
    char *text = pli_cli_format("{\"light\": %s, \"zoom\": %.3g, \"quality\": %d, \"knows_steps\": %s}\n",
                                p->light ? "true" : "false", (double)p->zoom, (int)p->quality,
                                p->knows_steps ? "true" : "false");
    const void *const pieces[] = {text};
    const size_t sizes[] = {strlen(text)};
    if (status == PLI_STATUS_OK)
        status = pli_cli_file_write(path, pieces, sizes, 1, error);
    free(text);
    free(folder);
    return status;
}
