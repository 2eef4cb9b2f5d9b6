// Former names of keys, which scenes may still use: they are renamed in the tree before the check.
#include "scene_format/scene_aliases.h"

#include <stdio.h>

// Keys of the objects in a list below each deformable.
static const struct {
    const char *list, *former, *key;
} aliases[] = {
    {"attachments", "held", "fixed"},
};
enum { ALIAS_COUNT = sizeof aliases / sizeof *aliases };

static void rename_key(scene_diagnostics *f, json_t *object, size_t d, size_t i, int alias)
{
    json_t *value = json_object_get(object, aliases[alias].former);
    if (!value)
        return;
    if (json_object_get(object, aliases[alias].key)) {
        char path[SCENE_BODY_PATH];
        snprintf(path, sizeof path, "deformables[%zu].%s[%zu].%s", d, aliases[alias].list, i, aliases[alias].former);
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "is the former name of '%s', which is given too",
                     aliases[alias].key);
    } else if (json_object_set(object, aliases[alias].key, value) != 0) {
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
    }
    json_object_del(object, aliases[alias].former);
}

void scene_rename_former_keys(scene_diagnostics *f, json_t *root)
{
    size_t d, i;
    json_t *deformable, *object;
    for (int alias = 0; alias < ALIAS_COUNT; alias++)
        json_array_foreach (json_object_get(root, "deformables"), d, deformable)
            json_array_foreach (json_object_get(deformable, aliases[alias].list), i, object)
                rename_key(f, object, d, i, alias);
}
