// Kernels of the multilevel solver for meshes of any kind: restriction and prolongation by index lists, PLI_BATCH nodes
// at a time. Compiled once for each SIMD back end.
//
//   restriction     node[j]   = sum of fraction[i] * finer[member[i]]          fractions of mass sum to 1
//   prolongation    finer[i] += sum of weight[k] * displacement[parent[k]]     weights sum to 1
#ifndef PLI_STRETCH_LEVELS_KERNELS_H
#define PLI_STRETCH_LEVELS_KERNELS_H

#include "constraints/projection.h"

enum { PLI_LEVEL_PARENTS = 4 }; // Most nodes that a finer node follows.

typedef struct pli_level_lists {
    int32_t count, finer_count; // Nodes of the level, and of the finer level or the particles.
    int32_t finer_dummy;        // A fixed finer node, for lanes behind the last.
    pli_particle *finer;        // Finer nodes or particles: position [m] and inverse mass [1/kg].
    pli_particle *nodes;        // [count + PLI_BATCH] position and inverse mass; nodes behind the last are dummies.
    // [count + PLI_BATCH] displacement by projection; before that, the position at restriction [m].
    pli_particle *displacements;
    int32_t *offsets; // [node batches + 1] first row of PLI_BATCH members of each batch.
    int32_t *members; // Finer nodes that each node of a batch is the centre of mass of.
    float *shares;    // Fraction of the node's mass that each member has; they sum to 1, and padding has 0.
    // [finer batches][PLI_LEVEL_PARENTS][PLI_BATCH] nodes that a finer node follows; `count` for none.
    int32_t *parents;
    float *weights; // Weight of each parent, 0 to 1.
} pli_level_lists;

// One pass over the batches begin..end-1 of the nodes, for `prolong` of the finer nodes; `lists` is a pli_level_lists.
typedef void (*pli_level_pass)(void *lists, int32_t begin, int32_t end);

typedef struct pli_level_kernels {
    pli_level_pass restrict_nodes;     // Moves nodes to the centres of mass of their members.
    pli_level_pass find_displacements; // Displacement of nodes since restriction.
    pli_level_pass prolong;            // Adds the displacements of the parents to the finer nodes, except fixed ones.
} pli_level_kernels;

extern const pli_level_kernels PLI_NAMED(pli_level);

#endif
