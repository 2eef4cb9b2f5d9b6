// The meshes of colliders: which there are, and where their vertices are in the world.
#ifndef PLI_CLI_SURFACES_H
#define PLI_CLI_SURFACES_H

#include <pliant/world.h>

// Faces of a collider of the shape mesh or hull; null for the shapes that are drawn from their sizes.
const pli_mesh *pli_cli_collider_faces(const pli_world *world, pli_collider collider);
// Writes its vertices as they are now, packed, in the world.
void pli_cli_collider_positions(const pli_world *world, pli_collider collider, float *positions);

#endif
