// Kernels of time integration over all particles: forces, prediction, and velocities from positions. Compiled once for
// each SIMD back end.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, lines 5, 7 and 12 to 15.
#ifndef PLI_PARTICLES_INTEGRATE_KERNELS_H
#define PLI_PARTICLES_INTEGRATE_KERNELS_H

#include "base/vector.h"
#include "base/simd/wide.h"

#include <stdbool.h>

typedef struct pli_motion {
    // Positions, positions at the start of the substep [m], velocities [m/s].
    pli_particle *particles, *previous, *velocities;
    pli_particle *lost;      // Moves lost to rounding in the substep [m], or NULL.
    const float *forces;     // [3 * particles] user forces [N], or NULL.
    const float *gravity;    // [particles] factors on gravity, or NULL.
    pli_vec3 change;         // Velocity change by gravity in the substep [m/s].
    float step, speed_limit; // Substep [s], > 0; greatest speed [m/s], INFINITY for none.
    // Durations over which velocities follow from moves: for particles that moved, and for fixed ones [s], > 0.
    float moving_span, fixed_span;
    // Second-order time integration (particles/history.h), or NULL: positions from which velocities are measured, velocities at the start
    // of the previous substep, and the fraction by which their change is extrapolated.
    pli_particle *bases, *earlier;
    float weight;
    // Additional displacement of predicted positions: `share` times these [m], one for each particle; or NULL.
    pli_particle *pushes;
    float share;
} pli_motion;

// One pass over the particles begin..end-1; `motion` is a pli_motion.
typedef void (*pli_motion_pass)(void *motion, int32_t begin, int32_t end);

typedef struct pli_motion_kernels {
    pli_motion_pass accelerate, predict;
    pli_motion_pass fall; // Both in one pass, without user forces and without a speed limit.
    pli_motion_pass derive;
    // With bases: bases and velocities from the last two substeps, and prediction from them.
    pli_motion_pass extrapolate, predict_from_bases;
} pli_motion_kernels;

extern const pli_motion_kernels PLI_NAMED(pli_motion);

#endif
