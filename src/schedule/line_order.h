// Particles line by line along a mesh, every fourth vertex of a line first: where a mesh is regular, constraints of one
// direction then lie one after the other with all their particles (contiguous batches.h).
#ifndef PLI_SCHEDULE_LINE_ORDER_H
#define PLI_SCHEDULE_LINE_ORDER_H

#include "base/memory.h"
#include "pliant/mesh.h"

// Puts the vertices in lines: order[v] is the place of v. `along` holds their places along a curve, from which on
// lines begin.
// Returns the share of the edges whose ends have an edge one place on, 0 to 1; negative when memory ran out.
double pli_line_order(pli_memory *memory, const pli_topology *topology, const int32_t *along, int32_t *order);

#endif
