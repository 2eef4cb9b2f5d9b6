// Coarsening of a graph of nodes for the levels of a membrane: a subset of the nodes is kept, and every finer node follows up to four of
// them with weights that prolong displacements.
//
//   finer     o---o---o---o---o---o---o
//             |           |           |       kept: about every `stride`-th node
//   coarse    O-----------O-----------O       pairs: coarse nodes whose neighbourhoods meet
#ifndef PLI_STRETCH_COARSEN_H
#define PLI_STRETCH_COARSEN_H

#include "base/memory.h"

#include <stdint.h>

enum {
    PLI_PARENTS = 4, // The largest number of coarse nodes that a finer node follows.
};

// Nodes and pairs of neighbours: the vertices and edges of a mesh, or of a level derived from them.
typedef struct pli_graph {
    int32_t count, pair_count;
    const double (*positions)[3]; // [count] at rest [m].
    const int32_t *pairs;         // [2 * pair_count] nodes of each pair.
} pli_graph;

typedef struct pli_coarse {
    int32_t count, pair_count;
    int32_t *seeds; // [count] the kept nodes, ascending.
    int32_t *pairs; // [2 * pair_count] neighbouring coarse nodes, the lower first, ascending.
    // [PLI_PARENTS * nodes] coarse nodes that each node follows, -1 after the last one; and their weights, which sum to 1, or to 0 without
    // pairs.
    int32_t *parents;
    float *weights;
} pli_coarse;

// Keeps nodes that are at least `stride` pairs apart. False when memory ran out.
bool pli_coarsen(pli_memory *memory, const pli_graph *graph, int32_t stride, pli_coarse *coarse);
void pli_coarse_release(pli_memory *memory, pli_coarse *coarse);

#endif
