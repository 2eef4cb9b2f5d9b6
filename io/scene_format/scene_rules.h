// Rules of a scene that involve several keys.
#ifndef PLI_IO_SCENE_RULES_H
#define PLI_IO_SCENE_RULES_H

#include "scene_format/scene_diagnostics.h"

#include <jansson.h>

void scene_check_rules(scene_diagnostics *diagnostics, json_t *root);
// Checks that a mesh has one source and that generated vertices, added up over all meshes in `total`, stay in bounds.
void scene_check_mesh(scene_diagnostics *diagnostics, const char *path, json_t *mesh, double *total);
// Checks the mesh and the sizes of a shape against its row; `made` is set if the mesh may also come from elsewhere.
void scene_check_shape(scene_diagnostics *diagnostics, const char *path, json_t *shape, bool made, double *total);

#endif
