// Meshes of colliders for recording and drawing: mesh colliders, and the shapes of rigid bodies, whose trajectories are known only
// during the run.
#ifndef PLI_CLI_COLLIDER_MESHES_H
#define PLI_CLI_COLLIDER_MESHES_H

#include <pliant/world.h>

typedef struct pli_cli_collider_meshes {
    int32_t count;
    int32_t *numbers; // Number of each mesh's collider in the world.
    const pli_mesh **meshes;
    pli_mesh **made; // Meshes created here for shapes without one; NULL for the others.
} pli_cli_collider_meshes;

// Collects the collider meshes of a world. Close it also after a failure.
pli_status pli_cli_collider_meshes_open(const pli_world *world, pli_cli_collider_meshes *collider_meshes,
                                        pli_error *error);
void pli_cli_collider_meshes_close(pli_cli_collider_meshes *collider_meshes);
// Index of a collider's mesh; -1 for shapes that are drawn from their sizes.
int32_t pli_cli_collider_mesh_of(const pli_cli_collider_meshes *collider_meshes, int32_t collider);
// Writes the current vertices of a collider mesh in world space, packed.
void pli_cli_collider_mesh_positions(const pli_cli_collider_meshes *collider_meshes, const pli_world *world,
                                     int32_t collider_mesh, float *positions);
// The same relative to pli_world_get_origin, where floats are precise: the positions that a step uses.
void pli_cli_collider_mesh_local_positions(const pli_cli_collider_meshes *collider_meshes, const pli_world *world,
                                           int32_t collider_mesh, float *positions);

#endif
