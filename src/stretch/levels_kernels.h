// Levels of a mesh of any kind: nodes are centres of mass of what follows them, in lists of PLI_BATCH at a time.
#ifndef PLI_STRETCH_LEVELS_KERNELS_H
#define PLI_STRETCH_LEVELS_KERNELS_H

#include "constraints/projection.h"

enum { PLI_LEVEL_PARENTS = 4 }; // Nodes that a finer one follows, at most.

typedef struct pli_level_lists {
    int32_t count, finer_count;
    int32_t finer_dummy; // A finer one that is held, for lanes behind the last.
    pli_particle *finer;
    pli_particle *nodes; // [count + PLI_BATCH] with inverse masses; those behind the last are dummies.
    pli_particle *moves; // The same: how far they were moved; before that, from where.
    int32_t *offsets;    // [batches of nodes + 1] into the next two, in batches.
    int32_t *members;    // Finer nodes that each node of a batch is the centre of, and
    float *shares;       // their shares of its mass, which add up to 1. Of the dummy it is 0.
    int32_t *parents;    // [PLI_LEVEL_PARENTS][PLI_BATCH] of each batch of finer nodes; count is none.
    float *weights;
} pli_level_lists;

// On batches begin..end-1 of the nodes, or for `spread` of the finer ones. Data is a pli_level_lists.
typedef void (*pli_level_pass)(void *lists, int32_t begin, int32_t end);

typedef struct pli_level_kernels {
    pli_level_pass gather;     // Brings nodes to their centres.
    pli_level_pass find_moves; // How far they are from there now.
    pli_level_pass spread;     // Moves finer ones that are not held as far as what they follow.
} pli_level_kernels;

extern const pli_level_kernels PLI_NAMED(pli_level);

#endif
