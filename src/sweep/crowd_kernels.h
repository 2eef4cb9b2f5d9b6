// Columns of a crowd (crowd.h): the particles of its members side by side, so that each register has the same particle of
// different members. Compiled once for each SIMD back end.
#ifndef PLI_SWEEP_CROWD_KERNELS_H
#define PLI_SWEEP_CROWD_KERNELS_H

#include "constraints/projection.h"

// Members of a crowd: the lanes of the widest back end.
enum { PLI_CROWD_MEMBERS = PLI_BATCH };

// Particle i of member m is at PLI_CROWD_MEMBERS * i + m in the columns, and at firsts[m] + i in the store.
typedef struct pli_crowd_copy {
    pli_soa columns;
    pli_particle *particles;             // The store's array.
    pli_index firsts[PLI_CROWD_MEMBERS]; // First particle of each member.
    int32_t count;                       // Particles of a member.
} pli_crowd_copy;

typedef struct pli_crowd_kernels {
    void (*enter)(
        const pli_crowd_copy *copy); // Copies particles into the columns; without w where the columns have none.
    void (*leave)(const pli_crowd_copy *copy); // Copies positions back.
} pli_crowd_kernels;

extern const pli_crowd_kernels PLI_NAMED(pli_crowd);

#endif
