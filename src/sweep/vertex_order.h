// The order of particles in memory, chosen for locality: sweep/vertex_order.c.
#ifndef PLI_SWEEP_VERTEX_ORDER_H
#define PLI_SWEEP_VERTEX_ORDER_H

#include "base/memory.h"
#include "pliant/mesh.h"

// Computes the internal index of each vertex, along lines of the mesh or a space-filling curve through the rest shape. *order is NULL if
// the mesh's own order is as good. False when memory ran out.
bool pli_particle_order(pli_memory *memory, const pli_mesh *mesh, int32_t **order);

#endif
