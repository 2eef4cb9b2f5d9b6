// Texture coordinates have three uses in a scene: images of painted values, visible images, and the direction of a warp.
#ifndef PLI_IO_SCENE_TEXTURE_H
#define PLI_IO_SCENE_TEXTURE_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

#include <pliant/material.h>

// Reads the images of paints and appearances, and reports errors in them and in warps that follow texture coordinates.
void scene_read_textures(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_textures(pli_scene *scene);
// Adds the images to a hash.
uint64_t scene_hash_textures(const pli_scene *scene, uint64_t hash);

// The texture coordinates of deformable `i` that a paint or a material selects by `attribute`, or "uv"; null if its file has none.
const pli_mesh_attribute *scene_texture_coordinates(const pli_scene *scene, size_t i, json_t *json);
// Writes a value 0..1 for each vertex of deformable `i`: component `component` of the paint's image, interpolated between pixels, at
// the vertex's texture coordinates. The image covers a mesh without a file: u from its smallest x to its largest, v from its largest z
// to its smallest. False when the image has no such component.
bool scene_image_values(const pli_scene *scene, size_t i, json_t *paint, int32_t component, float *values);
// Pixels of the image that an appearance names by a key, sRGB RGBA, top row first, or null.
const uint8_t *scene_look_image(const pli_scene *scene, json_t *look, const char *key, int32_t *width, int32_t *height);
// Sets the warp direction of a set as its deformable's material says.
pli_status scene_set_warp(const pli_scene *scene, pli_world *world, size_t i, pli_constraints set, pli_error *error);

#endif
