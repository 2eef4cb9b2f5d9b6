// A world that is moved by a cache instead of a simulation, so that what is on disk can be seen
// and measured like what is simulated.
#ifndef PLI_CLI_PLAYBACK_H
#define PLI_CLI_PLAYBACK_H

#include "view/collider_meshes.h"

#include "view/world_view.h"

#include <pliant/cache.h>
#include <pliant/scene.h>

// A deformable as the cache has it. A playback cannot tear: what did is for the picture.
typedef struct pli_cli_playback_object {
    const pli_mesh *torn; // Its faces, borrowed from the cache; null when they are those of its mesh.
    float *positions;
    int32_t count, room;
} pli_cli_playback_object;

typedef struct pli_cli_playback {
    pli_cache *cache;       // Borrowed.
    const pli_scene *scene; // Borrowed; null for a cache alone.
    pli_world *world;
    pli_cli_collider_meshes collider_meshes; // Of the scene's world.
    int32_t frame;                           // That the world is at.
    pli_cli_playback_object *objects;        // Of the deformables, in the frame shown.
} pli_cli_playback;

// The scene's deformables must be the cache's objects.
pli_status pli_cli_playback_open(pli_cache *cache, const pli_scene *scene, pli_cli_playback *playback,
                                 pli_error *error);
// Brings the world to the frame. Scenes go forward only: frames must not decrease.
pli_status pli_cli_playback_show(pli_cli_playback *playback, int32_t frame, pli_error *error);
// Has a picture of the world show what tore.
void pli_cli_playback_lend(const pli_cli_playback *playback, pli_cli_world_view *picture);
// Where a collider mesh was recorded to be in that frame: a pli_cli_collider_mesh_source.
pli_status pli_cli_playback_collider_mesh(void *playback, int32_t collider_mesh, float *positions, pli_error *error);
void pli_cli_playback_close(pli_cli_playback *playback);

#endif
