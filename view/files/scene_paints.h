// Painted numbers in the text of a scene: which it has, and those that a brush has laid on.
#ifndef PLI_VIEW_SCENE_PAINTS_H
#define PLI_VIEW_SCENE_PAINTS_H

#include "files/scene_copy.h"

#include <jansson.h>

// Whether the text of a scene paints a number of this name by a file or an image, which a brush cannot go on from; "stiffness" is that of any set.
bool pli_view_paints_by_file(const json_t *root, const char *name);
// Reads the numbers that the text lists for a deformable, the `count` of its vertices; for "stiffness" those of its first set that has some. False where it
// lists none, or another number of them.
bool pli_view_paints_read(const json_t *root, int32_t deformable, const char *name, float *values, int32_t count);
// Lists the numbers under `parent`'s key "painted", and there under `name` unless it is null. False where they are there already.
bool pli_view_paints_put(json_t *parent, const char *name, const float *values, int32_t count);

#endif
