// Materials of deformables: what a scene says of them becomes densities, constraint sets and plates.
#ifndef PLI_IO_SCENE_MATERIAL_H
#define PLI_IO_SCENE_MATERIAL_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_plugins.h"

#include <jansson.h>
#include <pliant/material.h>

// The numbers of a material, which is the name of a preset or an object, with those that follow from others.
pli_status scene_material_of(json_t *material, pli_material_def *def, pli_error *error);
// Writes into every deformable with a material what that gives and the scene does not: density, friction, what stretches and what bends.
// Materials with mistakes are left to the check. False when there is not enough memory.
bool scene_expand_materials(json_t *root, scene_plugins plugins);
// Writes what follows from the mesh as well, unless the scene has it: the distance that contact keeps from a material, and the model that bends a
// deformable with a rigidity, a plate or a set (pli_bending_choose). False when there is not enough memory.
bool scene_fit_to_mesh(json_t *deformable, scene_plugins plugins, const pli_mesh *mesh);
// Checks materials and tensile stiffnesses, after the check of all keys.
void scene_check_material(scene_diagnostics *diagnostics, json_t *deformable, const char *path);

#endif
