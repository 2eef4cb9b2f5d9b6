// Meshes of colliders and their animations.
#ifndef PLI_IO_SCENE_ANIMATION_H
#define PLI_IO_SCENE_ANIMATION_H

#include "scene_format/scene_diagnostics.h"
#include "scene_format/scene_private.h"

typedef struct scene_collider_mesh {
    pli_mesh *mesh; // NULL for shapes without a mesh. An animated mesh is stored at time 0.
    float *frames;  // [frame_count * 3 * vertex_count]; NULL without an animation.
    int32_t frame_count, vertex_count;
    double rate;  // Playback rate [frames/s], including the scene's speed.
    double start; // Time of the first frame [s].
    bool loop;
} scene_collider_mesh;

// Reads all frames of the collider's animation and sets its mesh, or the mesh of the cache if there is none, to time 0. Everything is
// read while loading, so that errors have a location and every world of the scene is the same.
void scene_read_animation(const pli_scene *scene, json_t *collider, scene_collider_mesh *model,
                          scene_diagnostics *diagnostics, const char *path);
// Writes the vertices at a time, packed.
void scene_animation_at(const scene_collider_mesh *model, double time, float *positions);

#endif
