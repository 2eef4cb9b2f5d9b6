// Meshes of colliders, and how their vertices move.
#ifndef PLI_IO_SCENE_ANIMATION_H
#define PLI_IO_SCENE_ANIMATION_H

#include "scene_format/scene_private.h"

typedef struct scene_collider_mesh {
    pli_mesh *mesh; // Null for shapes without. An animated one is as at the start of the scene.
    float *frames;  // [frame_count * 3 * vertex_count]; null when nothing is animated.
    int32_t frame_count, vertex_count;
    double rate;  // [frames/s], with the scene's speed.
    double start; // [s]
    bool loop;
} scene_collider_mesh;

// Reads all frames of the collider's animation and puts the model's mesh, or the cache's own when there
// is none, at time 0. Everything is read while loading, so that what is wrong is said with its place, and
// the scene is the same for every world made of it.
void scene_read_animation(const pli_scene *scene, json_t *collider, scene_collider_mesh *model,
                          scene_diagnostics *diagnostics, const char *path);
// The vertices at a time, packed.
void scene_animation_at(const scene_collider_mesh *model, double time, float *positions);

#endif
