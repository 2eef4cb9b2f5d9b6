// Nested dissection of a graph by the coordinates of its vertices: an order of elimination with little fill-in, as a tree of separators
// (George 1973; by coordinates as Heath and Raghavan 1995).
//
//      +-------+---+-------+       left and right have no edge between them: they are eliminated first, independently,
//      | left  | S | right |       and the separator S last. Each half is divided in the same manner, down to leaves.
//      +-------+---+-------+
//
// The subtrees some levels below the root are independent of one another; the separators above them are the top, which comes last.
#ifndef PLI_BASE_SPARSE_DISSECTION_H
#define PLI_BASE_SPARSE_DISSECTION_H

#include "base/sparse/symmetric_matrix.h"

enum { PLI_DISSECTION_SUBTREES = 8 };

// A separator or a leaf: unknowns that are contiguous in the order. It may be empty.
typedef struct pli_dissection_node {
    int32_t first, count; // Places.
    int32_t parent;       // A later node, or -1.
} pli_dissection_node;

typedef struct pli_dissection {
    int32_t count;
    int32_t *order;  // [count] the unknown at each place.
    int32_t *places; // [count] the place of each unknown.
    pli_dissection_node *nodes;
    int32_t node_count;
    // The nodes of subtree i are subtrees[i] to subtrees[i + 1] - 1; the nodes of the top start at subtrees[subtree_count].
    int32_t subtree_count, subtrees[PLI_DISSECTION_SUBTREES + 1];
    int32_t top; // The first place of the top.
} pli_dissection;

// Divides the graph of the matrix; `points` has three coordinates for each unknown. The result depends on these alone. False when memory
// ran out.
bool pli_dissection_make(pli_memory *memory, const pli_symmetric_matrix *graph, const double *points,
                         pli_dissection *dissection);
void pli_dissection_free(pli_memory *memory, pli_dissection *dissection);

#endif
