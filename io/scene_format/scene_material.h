// Materials of deformables: the conversion of a scene's materials to densities, constraint sets and plates.
#ifndef PLI_IO_SCENE_MATERIAL_H
#define PLI_IO_SCENE_MATERIAL_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_plugins.h"

#include <jansson.h>
#include <pliant/material.h>

// The values of a material, which is a preset name or an object, with all derived values.
pli_status scene_material_of(json_t *material, pli_material_def *def, pli_error *error);
// Writes the values of a material into every deformable, unless the scene has them: density, friction, stretching and bending
// constraints. Invalid materials are left to the check. False when memory runs out.
bool scene_expand_materials(json_t *root, scene_plugins plugins);
// Also writes the values that depend on the mesh, unless the scene has them: the contact distance of a material, and the bending model
// of a deformable with a rigidity, a plate or a set (pli_mesh_recommended_bending). False when memory runs out.
bool scene_fit_to_mesh(json_t *deformable, scene_plugins plugins, const pli_mesh *mesh);
// Checks materials and tensile stiffnesses, after the check of all keys.
void scene_check_material(scene_diagnostics *diagnostics, json_t *deformable, const char *path);

#endif
