// Passes over all particles: forces, prediction, velocities from positions.
// Mueller et al. 2006, Position Based Dynamics, Algorithm 1, lines 5, 7 and 12 to 15.
#ifndef PLI_PARTICLES_INTEGRATE_KERNELS_H
#define PLI_PARTICLES_INTEGRATE_KERNELS_H

#include "base/vector.h"
#include "simd/wide.h"

#include <stdbool.h>

typedef struct pli_motion {
    pli_particle *particles, *previous, *velocities;
    const float *forces;     // [3 * particles], or null.
    pli_vec3 change;         // Of velocity by gravity [m/s].
    float step, speed_limit; // [s], [m/s]
} pli_motion;

// On the particles begin..end-1. Data is a pli_motion.
typedef void (*pli_motion_pass)(void *motion, int32_t begin, int32_t end);

typedef struct pli_motion_kernels {
    pli_motion_pass accelerate, predict, derive;
} pli_motion_kernels;

extern const pli_motion_kernels PLI_NAMED(pli_motion);

#endif
