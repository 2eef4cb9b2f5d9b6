// Values of a scene by path, for settings and keyframes.
#ifndef PLI_IO_SCENE_PATHS_H
#define PLI_IO_SCENE_PATHS_H

#include "scene_format/scene_diagnostics.h"

#include <jansson.h>

// Applies "path=value" to the tree before the check.
void scene_apply_setting(scene_diagnostics *diagnostics, json_t *root, const char *setting);

// The value at a path such as "deformables.cloth.constraints[0].kappa", where list items may also
// be given by name (or type); NULL when there is none. `parent` and `last` receive where a new key would be added.
json_t *scene_at(json_t *root, const char *path, json_t **parent, char last[64]);

#endif
