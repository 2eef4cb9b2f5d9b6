// A coarser set of nodes for a graph of nodes, and how what is done to it is passed on.
#ifndef PLI_STRETCH_COARSEN_H
#define PLI_STRETCH_COARSEN_H

#include "base/memory.h"

#include <stdint.h>

enum {
    PLI_PARENTS = 4, // Coarse nodes that a finer one follows, at most.
    PLI_STRIDE = 4,  // Of the rows and columns of a grid one in so many is kept, and the last.
};

// Nodes joined by pairs: a mesh's vertices and edges, or what they were made coarser to.
typedef struct pli_graph {
    int32_t count, pair_count;
    const double (*positions)[3]; // [count] at rest [m].
    const uint8_t *held;          // [count] 1: to be kept as long as there is room.
    const int32_t *pairs;         // [2 * pair_count]
    int32_t sides[2];             // Rows and columns when nodes lie in such, row by row; else 0.
} pli_graph;

typedef struct pli_coarse {
    int32_t count, pair_count;
    int32_t *seeds;   // [count] the nodes that were kept, ascending.
    int32_t *pairs;   // [2 * pair_count] of coarse nodes side by side, lower first, ascending.
    int32_t *parents; // [PLI_PARENTS * nodes] coarse nodes that each follows; -1 behind the last.
    float *weights;   // Of each; they add up to 1, or to 0 for nodes without pairs.
    int32_t sides[2]; // Rows and columns of a graph that has such; and of its rows and columns
    float *shares[2]; // the share of the coarse one behind, where i / PLI_STRIDE has the rest. Null otherwise.
} pli_coarse;

// Nodes that are kept are `stride` pairs apart or more. False when memory ran out.
bool pli_coarsen(pli_memory *memory, const pli_graph *graph, int32_t stride, pli_coarse *coarse);
// The same for a graph with rows and columns: coarse nodes have such too.
bool pli_coarsen_grid(pli_memory *memory, const pli_graph *graph, pli_coarse *coarse);
void pli_coarse_release(pli_memory *memory, pli_coarse *coarse);

#endif
