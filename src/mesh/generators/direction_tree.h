// Directions around a vertex with many neighbours, in a tree of boxes that finds an opposite direction without visiting
// all of them: a fan of n faces takes about n log n steps instead of n^2.
#ifndef PLI_MESH_GENERATORS_DIRECTION_TREE_H
#define PLI_MESH_GENERATORS_DIRECTION_TREE_H

#include "base/memory.h"

typedef struct pli_direction_entry {
    double at[3];
    int32_t index;
} pli_direction_entry;

typedef struct pli_direction_node {
    double low[3], high[3];
    int32_t begin, end, lowest; // Entries, and the lowest index among them.
} pli_direction_node;

typedef struct pli_direction_tree {
    pli_direction_entry *entries;
    pli_direction_node *nodes; // The children of node k are 2 k + 1 and 2 k + 2; leaves have few entries.
} pli_direction_tree;

// Allocates memory for `most` directions. Returns false when memory ran out; release the tree in both cases.
bool pli_direction_tree_reserve(pli_memory *memory, pli_direction_tree *tree, int32_t most);
void pli_direction_tree_release(pli_memory *memory, pli_direction_tree *tree);
void pli_direction_tree_build(pli_direction_tree *tree, const double (*directions)[3], int32_t count);
// Returns the lowest index whose cosine with direction `from` is within `tolerance` of the smallest cosine, which must
// be below `bound`; -1 if there is none.
int32_t pli_direction_tree_opposite(const pli_direction_tree *tree, const double direction[3], int32_t from,
                                    double bound, double tolerance);

#endif
