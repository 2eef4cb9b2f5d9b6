// Kernels that sum the ghost motion of a deformable over its particles and remove it (particles/ghost_motion.h). Compiled once for each
// SIMD back end.
//
// The sums of a chunk are split into PLI_BATCH partial sums at any SIMD width, so that all back ends add in the same
// order: particle i of a chunk belongs to partial sum i mod PLI_BATCH. They are floats, about the chunk's own first
// particle; the chunks are added up in double, in order.
#ifndef PLI_PARTICLES_GHOST_KERNELS_H
#define PLI_PARTICLES_GHOST_KERNELS_H

#include "constraints/projection.h"

// Offsets of the sums in a row, for mass m, correction d and position r relative to the chunk's first particle: m d;
// m r x d; m; m r; the squares m xx, m yy, m zz; the products m yz, m zx, m xy.
enum {
    PLI_GHOST_SUM_LINEAR,
    PLI_GHOST_SUM_ANGULAR = PLI_GHOST_SUM_LINEAR + 3,
    PLI_GHOST_SUM_POSITION = PLI_GHOST_SUM_ANGULAR + 3,
    PLI_GHOST_SUM_SQUARES = PLI_GHOST_SUM_POSITION + 3,
    PLI_GHOST_SUM_PRODUCTS = PLI_GHOST_SUM_SQUARES + 3,
    PLI_GHOST_SUM_MASS = PLI_GHOST_SUM_PRODUCTS + 3,
    PLI_GHOST_SUM_COUNT
};

// Particles begin..end-1 of a piece, in internal order or in the order of its list of members.
typedef struct pli_ghost_chunk {
    int32_t piece, begin, end;
    int32_t masses; // Start of the chunk's masses, PLI_BATCH to a batch.
    bool all_move;  // No particle is fixed.
} pli_ghost_chunk;

// The rigid motion to remove from a piece: a particle at x moves by -(shift + turn x (x - centre)) [m].
typedef struct pli_ghost {
    pli_vec3 centre, shift, turn;
} pli_ghost;

typedef struct pli_ghost_job {
    // Present positions, with inverse masses in w; positions at the start of the substep [m]; velocities [m/s].
    pli_particle *particles, *velocities;
    const pli_particle *previous;
    const pli_particle *before;      // Positions before the corrections [m]; null for x + h v.
    pli_particle *lost;              // Moves lost to rounding, see pli_store [m]; null where they are not kept.
    const pli_particle *lost_before; // Lost before the corrections; null together with `before`.
    bool first_loss;                 // Nothing has been lost yet in this substep, whatever `lost` holds.
    bool about_ends;                 // Levers are measured from the present particles, not from `previous`.
    float step, fixed_span;          // Length of the substep, h, and duration of the moves of fixed particles [s].
    const int32_t *members;          // Particles by piece; null for internal order.
    pli_ghost_chunk *chunks;
    float *masses;           // By batches of chunks, in the lane order of the back end; 0 for fixed particles [kg].
    const bool *skipped;     // [pieces] pieces that are not summed.
    double *sums;            // [chunks * PLI_GHOST_SUM_COUNT]
    const pli_ghost *ghosts; // [pieces]
} pli_ghost_job;

// One pass over the chunks begin..end-1; `job` is a pli_ghost_job.
typedef void (*pli_ghost_pass)(void *job, int32_t begin, int32_t end);

typedef struct pli_ghost_kernels {
    pli_ghost_pass weigh;  // Writes the masses of each chunk, their sum, and whether all of its particles move.
    pli_ghost_pass sum_up; // Writes the other sums of each chunk that is not skipped.
    pli_ghost_pass shift;  // Removes the ghosts from the positions.
    pli_ghost_pass derive; // Derives velocities (Algorithm 1, line 13) without ghosts; positions lose these too.
} pli_ghost_kernels;

extern const pli_ghost_kernels PLI_NAMED(pli_ghost);

#endif
