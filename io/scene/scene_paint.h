// Painted numbers of a scene: attributes of a mesh's file, as values of its vertices or faces.
#ifndef PLI_IO_SCENE_PAINT_H
#define PLI_IO_SCENE_PAINT_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

#include <pliant/attribute.h>

// Reports errors in the paint of all deformables, after their meshes have been read.
void scene_check_paint(const pli_scene *scene, scene_diagnostics *diagnostics);
// Paint deformable `i` of the scene, and one of its sets.
pli_status scene_paint_deformable(const pli_scene *scene, pli_world *world, size_t i, pli_deformable deformable,
                                  pli_error *error);
pli_status scene_paint_set(const pli_scene *scene, pli_world *world, size_t i, json_t *set_json, pli_constraints set,
                           pli_error *error);

#endif
