// Playback: a cache instead of the solver moves the deformables of a world, so that recordings are drawn and measured like simulations.
#ifndef PLI_CLI_PLAYBACK_H
#define PLI_CLI_PLAYBACK_H

#include "view/collider_meshes.h"

#include "view/world_view.h"

#include <pliant/cache.h>
#include <pliant/scene.h>

// A deformable's frame in the cache. The world of a playback does not tear; torn meshes are passed to the view instead.
typedef struct pli_cli_playback_object {
    const pli_mesh *torn; // Faces of this frame, borrowed from the cache; NULL when they are those of its mesh.
    float *positions;
    int32_t count, capacity;
} pli_cli_playback_object;

typedef struct pli_cli_playback {
    pli_cache *cache;       // Borrowed.
    const pli_scene *scene; // Borrowed; null for a cache alone.
    pli_world *world;
    pli_cli_collider_meshes collider_meshes; // Collider meshes of the scene's world.
    int32_t frame;                           // Current frame of the world.
    pli_cli_playback_object *objects;        // Deformables in the frame shown.
} pli_cli_playback;

// Whether a path names a recording: a folder of a run, or a file with more than one frame.
bool pli_cli_is_recording(const char *path);
// Opens the recording of a path; PC2 and MDD take their faces from the OBJ file of the same name.
pli_status pli_cli_recording_read(const char *path, pli_cache **cache, pli_error *error);
// Opens a playback. The cache's objects must match the scene's deformables.
pli_status pli_cli_playback_open(pli_cache *cache, const pli_scene *scene, pli_cli_playback *playback,
                                 pli_error *error);
// Moves the world to the frame. Scenes only advance, so frames must not decrease.
pli_status pli_cli_playback_show(pli_cli_playback *playback, int32_t frame, pli_error *error);
// Whether a mesh of this frame is torn; measures are not available then.
bool pli_cli_playback_is_torn(const pli_cli_playback *playback);
// Passes the torn meshes of this frame to a view of the world.
void pli_cli_playback_lend(const pli_cli_playback *playback, pli_cli_world_view *view);
// Recorded positions of a collider mesh in this frame: a pli_cli_collider_mesh_source.
pli_status pli_cli_playback_collider_mesh(void *playback, int32_t collider_mesh, float *positions, pli_error *error);
void pli_cli_playback_close(pli_cli_playback *playback);

#endif
