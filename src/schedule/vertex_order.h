#ifndef PLI_SCHEDULE_VERTEX_ORDER_H
#define PLI_SCHEDULE_VERTEX_ORDER_H

#include "base/memory.h"
#include "pliant/mesh.h"

// The place of each vertex along a space-filling curve through the rest shape, or null when the
// mesh's own order is as good. False when memory ran out.
bool pli_particle_order(pli_memory *memory, const pli_mesh *mesh, int32_t **order);

#endif
