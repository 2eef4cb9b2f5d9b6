// Order of particles along lines of the mesh, every fourth vertex of a line first: where the mesh is regular, four
// successive constraints of one direction then form a contiguous batch (sweep/contiguous_batches.h).
//
//   a line            v0 v1 v2 v3 v4 v5 v6 v7 v8 v9
//   in memory         v0 v4 v8 | v1 v5 v9 | v2 v6 | v3 v7
//   edges v0v1, v4v5, v8v9: their first ends are successive in memory, and so are their second ends
#ifndef PLI_SWEEP_LINE_ORDER_H
#define PLI_SWEEP_LINE_ORDER_H

#include "base/memory.h"
#include "pliant/mesh.h"

// Assigns internal indices: order[v] is the index of vertex v. `along` contains the positions of the vertices on a space-filling curve,
// along which lines are started. Returns the fraction of edges for which another edge exists at the next indices, 0 to 1; negative when
// memory ran out.
double pli_line_order(pli_memory *memory, const pli_topology *topology, const int32_t *along, int32_t *order);

#endif
