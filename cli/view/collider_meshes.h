// Colliders as meshes, as they are recorded and drawn: those that are meshes, and what bodies carry, whose
// way only the run knows.
#ifndef PLI_CLI_COLLIDER_MESHES_H
#define PLI_CLI_COLLIDER_MESHES_H

#include <pliant/world.h>

typedef struct pli_cli_shells {
    int32_t count;
    int32_t *numbers; // Of each: the world's collider.
    const pli_mesh **meshes;
    pli_mesh **made; // Of shapes that have none; null for others.
} pli_cli_shells;

// The shells of a world. Harmless to close when it fails.
pli_status pli_cli_shells_open(const pli_world *world, pli_cli_shells *shells, pli_error *error);
void pli_cli_shells_close(pli_cli_shells *shells);
// The shell of a collider; -1 for those that are drawn from their sizes.
int32_t pli_cli_shell_of(const pli_cli_shells *shells, int32_t collider);
// Writes a shell's vertices as they are now, packed, in the world.
void pli_cli_shell_positions(const pli_cli_shells *shells, const pli_world *world, int32_t shell, float *positions);

#endif
