// Kernels that sum mass, momentum and inertia over the particles of a deformable in double, and that add a rigid motion
// to its velocities. Compiled once for each SIMD back end.
//
// The sums are split into PLI_MOTION_SUM_LANES partial sums at any SIMD width, so that all back ends add in the same
// order: particle i of a range belongs to partial sum i mod PLI_MOTION_SUM_LANES.
//
//   particle       0   1   2   3   4   5   6   7   8   9  ...
//   partial sum    0   1   2   3   4   5   6   7   0   1  ...
#ifndef PLI_PARTICLES_RIGID_MOTION_KERNELS_H
#define PLI_PARTICLES_RIGID_MOTION_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

// Offsets of the sums in a row, for mass m, velocity v and position r relative to the centre: m; m r; m v; r x m v; the
// squares m xx, m yy, m zz; the products m yz, m zx, m xy.
enum {
    PLI_MOTION_SUM_MASS,
    PLI_MOTION_SUM_POSITION,
    PLI_MOTION_SUM_MOMENTUM = PLI_MOTION_SUM_POSITION + 3,
    PLI_MOTION_SUM_ANGULAR = PLI_MOTION_SUM_MOMENTUM + 3,
    PLI_MOTION_SUM_SQUARES = PLI_MOTION_SUM_ANGULAR + 3,
    PLI_MOTION_SUM_PRODUCTS = PLI_MOTION_SUM_SQUARES + 3,
    PLI_MOTION_SUM_COUNT = PLI_MOTION_SUM_PRODUCTS + 3,
    PLI_MOTION_SUM_LANES = 8
};

typedef struct pli_rigid_motion_sums {
    const pli_particle *particles;
    pli_particle *velocities;
    double *sums; // [chunks * PLI_MOTION_SUM_COUNT] one row of sums for each chunk of `grain` particles.
    int32_t grain;
    pli_dvec3 centre;         // Point that the sums are taken about, and centre of the rigid motion [m].
    pli_dvec3 velocity, spin; // Linear and angular velocity of the rigid motion to approach or to add [m/s], [1/s].
    float share;              // Fraction of its deviation from the rigid motion that a velocity loses, 0 to 1.
} pli_rigid_motion_sums;

// One pass over the particles begin..end-1; `motion` is a pli_rigid_motion_sums. A range that is summed begins at a
// multiple of its grain.
typedef void (*pli_rigid_motion_pass)(void *motion, int32_t begin, int32_t end);

// Fixed particles have no mass here: they are neither summed nor changed.
typedef struct pli_rigid_motion_kernels {
    pli_rigid_motion_pass sum_up;   // Writes the sums of a chunk.
    pli_rigid_motion_pass approach; // Damping: reduces the deviation of velocities from the rigid motion by `share`.
    pli_rigid_motion_pass add;      // Adds the rigid motion to the velocities.
} pli_rigid_motion_kernels;

extern const pli_rigid_motion_kernels PLI_NAMED(pli_rigid_motion);

#endif
