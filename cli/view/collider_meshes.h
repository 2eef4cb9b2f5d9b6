// Colliders as meshes, as they are recorded and drawn: those that are meshes, and what bodies carry, whose
// way only the run knows.
#ifndef PLI_CLI_COLLIDER_MESHES_H
#define PLI_CLI_COLLIDER_MESHES_H

#include <pliant/world.h>

typedef struct pli_cli_collider_meshes {
    int32_t count;
    int32_t *numbers; // Of each: the world's collider.
    const pli_mesh **meshes;
    pli_mesh **made; // Of shapes that have none; null for others.
} pli_cli_collider_meshes;

// The collider meshes of a world. Harmless to close when it fails.
pli_status pli_cli_collider_meshes_open(const pli_world *world, pli_cli_collider_meshes *collider_meshes,
                                        pli_error *error);
void pli_cli_collider_meshes_close(pli_cli_collider_meshes *collider_meshes);
// The collider mesh of a collider; -1 for those that are drawn from their sizes.
int32_t pli_cli_collider_mesh_of(const pli_cli_collider_meshes *collider_meshes, int32_t collider);
// Writes a collider mesh's vertices as they are now, packed, in the world.
void pli_cli_collider_mesh_positions(const pli_cli_collider_meshes *collider_meshes, const pli_world *world,
                                     int32_t collider_mesh, float *positions);

#endif
