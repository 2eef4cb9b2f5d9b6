// Coarsening of a graph of nodes for the multilevel stretch solver: a subset of the nodes is kept, and every finer node
// follows up to four of them by weights, by which displacements are prolonged.
//
//   finer     o---o---o---o---o---o---o
//             |           |           |       kept: every PLI_STRIDE-th or so
//   coarse    O-----------O-----------O       pairs: coarse nodes whose neighbourhoods meet
#ifndef PLI_MEMBRANE_COARSEN_H
#define PLI_MEMBRANE_COARSEN_H

#include "base/memory.h"

#include <stdint.h>

enum {
    PLI_PARENTS = 4, // Most coarse nodes that a finer node follows.
    PLI_STRIDE = 4,  // A grid keeps every fourth row and column, and the last of each.
};

// Nodes and pairs of neighbours: the vertices and edges of a mesh, or a level made from them.
typedef struct pli_graph {
    int32_t count, pair_count;
    const double (*positions)[3]; // [count] at rest [m].
    const int32_t *pairs;         // [2 * pair_count] nodes of each pair.
    int32_t sides[2];             // Rows and columns of a grid, whose nodes are stored row by row; 0 for other graphs.
} pli_graph;

typedef struct pli_coarse {
    int32_t count, pair_count;
    int32_t *seeds; // [count] the nodes that were kept, ascending.
    int32_t *pairs; // [2 * pair_count] neighbouring coarse nodes, the lower first, ascending.
    // [PLI_PARENTS * nodes] coarse nodes that each node follows, -1 behind the last; and their weights, which sum to 1, or to 0
    // without pairs. NULL for grids, see pli_coarse_grid_parents.
    int32_t *parents;
    float *weights;
    int32_t sides[2]; // Rows and columns of a coarse grid; 0 for other graphs.
    // By finer row and column i: weight of coarse line i / PLI_STRIDE + 1, 0 to 1. NULL for other graphs.
    float *shares[2];
} pli_coarse;

// Keeps nodes that are at least `stride` pairs apart; `all` lists parents of weight 0 too. False when memory ran out.
bool pli_coarsen(pli_memory *memory, const pli_graph *graph, int32_t stride, bool all, pli_coarse *coarse);
// Coarsens a grid to a grid. False when memory ran out.
bool pli_coarsen_grid(pli_memory *memory, const pli_graph *graph, pli_coarse *coarse);
// Coarse nodes that a node of a finer grid follows, in a coarse grid of `columns`, with the shares of its row and column; and
// their weights. Returns their number.
int32_t pli_coarse_grid_parents(int32_t row, int32_t column, int32_t columns, float down, float right,
                                int32_t parents[PLI_PARENTS], float weights[PLI_PARENTS]);
void pli_coarse_release(pli_memory *memory, pli_coarse *coarse);

#endif
