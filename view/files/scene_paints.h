// Painted numbers in the text of a scene: the numbers that it lists already, and the ones from a brush.
#ifndef PLI_VIEW_SCENE_PAINTS_H
#define PLI_VIEW_SCENE_PAINTS_H

#include "files/scene_copy.h"

#include <jansson.h>

// Whether the text of a scene paints a number of this name by a file or an image, which a brush cannot continue from; "stiffness" means
// the stiffness of any set.
bool pli_view_paints_by_file(const json_t *root, const char *name);
// Reads the numbers that the text lists for the `count` vertices of a deformable; for "stiffness", the numbers of its first set that
// lists any. Returns false if there is no list or if its length differs.
bool pli_view_paints_read(const json_t *root, int32_t deformable, const char *name, float *values, int32_t count);
// Writes the numbers under the key "painted" of a deformable, and there under `name`. Returns false if the same numbers are there already.
bool pli_view_paints_put(json_t *parent, const char *name, const float *values, int32_t count);

#endif
