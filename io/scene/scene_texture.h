// Texture coordinates give a scene three things: images whose values are painted, images that are seen, and the direction of a warp.
#ifndef PLI_IO_SCENE_TEXTURE_H
#define PLI_IO_SCENE_TEXTURE_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

#include <pliant/material.h>

// Reads the images that paints and looks name, and reports what is wrong with them and with warps that follow texture coordinates.
void scene_read_textures(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_textures(pli_scene *scene);
// Changes a hash by the images.
uint64_t scene_hash_textures(const pli_scene *scene, uint64_t hash);

// The texture coordinates of deformable `i` that a paint or a material names by `attribute`, or "uv"; null when its file has none.
const pli_mesh_attribute *scene_texture_coordinates(const pli_scene *scene, size_t i, json_t *json);
// Writes a value 0..1 for each vertex of deformable `i`: component `component` of the image that the paint names, between pixels, at the vertex's texture
// coordinates. A mesh without a file is covered by the image: u from its least x to its largest, v from its largest z to its least. False when
// the image has no such component.
bool scene_image_values(const pli_scene *scene, size_t i, json_t *paint, int32_t component, float *values);
// Pixels of the image that a look names by a key, sRGB RGBA from the top, or null.
const uint8_t *scene_look_image(const pli_scene *scene, json_t *look, const char *key, int32_t *width, int32_t *height);
// Lays the warp of a set where its deformable's material says so.
pli_status scene_set_warp(const pli_scene *scene, pli_world *world, size_t i, pli_constraint_set set, pli_error *error);

#endif
