// Meshes of a scene, read from files or generated.
#ifndef PLI_IO_SCENE_MESH_H
#define PLI_IO_SCENE_MESH_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

// The path (on disk the real path) of a file that the scene names, inside its folder unless allowed otherwise; free with free(). NULL
// with a diagnostic.
char *scene_file(const pli_scene *scene, const char *name, scene_diagnostics *diagnostics, const char *path);
// Creates the mesh that a "mesh" object describes. Returns NULL with a diagnostic on failure.
pli_mesh *scene_make_mesh(const pli_scene *scene, json_t *json, scene_diagnostics *diagnostics, const char *path);
// Reads the rest shape of every deformable into scene->meshes, and meshes of colliders into
// scene->collider_meshes.
void scene_read_meshes(pli_scene *scene, scene_diagnostics *diagnostics);
void scene_release_meshes(pli_scene *scene);

#endif
