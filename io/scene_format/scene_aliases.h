// Former names of keys, which scenes may still use.
#ifndef PLI_IO_SCENE_ALIASES_H
#define PLI_IO_SCENE_ALIASES_H

#include "scene_format/scene_diagnostics.h"

#include <jansson.h>

// Renames former names of keys in the tree before the check.
void scene_rename_former_keys(scene_diagnostics *diagnostics, json_t *root);

#endif
