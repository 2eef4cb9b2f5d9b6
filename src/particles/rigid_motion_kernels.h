// Sums over the particles of a deformable in double, and rigid motions added to it.
//
// Sums run in PLI_WHOLE_LANES partial sums, whatever the width: particle i of a range belongs to sum i mod PLI_WHOLE_LANES.
#ifndef PLI_PARTICLES_RIGID_MOTION_KERNELS_H
#define PLI_PARTICLES_RIGID_MOTION_KERNELS_H

#include "base/vector.h"
#include "constraints/projection.h"

// The sums, r being places from the centre: mass, m r, m v, m r x v, m r r (xx yy zz, then yz zx xy).
enum {
    PLI_WHOLE_MASS,
    PLI_WHOLE_PLACE,
    PLI_WHOLE_MOMENTUM = PLI_WHOLE_PLACE + 3,
    PLI_WHOLE_SPIN = PLI_WHOLE_MOMENTUM + 3,
    PLI_WHOLE_SQUARES = PLI_WHOLE_SPIN + 3,
    PLI_WHOLE_PRODUCTS = PLI_WHOLE_SQUARES + 3,
    PLI_WHOLE_SUMS = PLI_WHOLE_PRODUCTS + 3,
    PLI_WHOLE_LANES = 8
};

typedef struct pli_rigid_motion_sums {
    const pli_particle *particles;
    pli_particle *velocities;
    double *sums; // A row of PLI_WHOLE_SUMS for each `grain` particles.
    int32_t grain;
    pli_dvec3 centre;         // What sums are about, and of the motion [m].
    pli_dvec3 velocity, spin; // Of the motion to approach, or to add [m/s], [1/s].
    float share;              // Of the way to it.
} pli_rigid_motion_sums;

// Data is a pli_rigid_motion_sums. Ranges that are summed begin at a multiple of its grain.
typedef void (*pli_rigid_motion_pass)(void *motion, int32_t begin, int32_t end);

// Held particles take no part.
typedef struct pli_rigid_motion_kernels {
    pli_rigid_motion_pass sum_up;
    pli_rigid_motion_pass approach; // Velocities come nearer to the motion by the share.
    pli_rigid_motion_pass add;
} pli_rigid_motion_kernels;

extern const pli_rigid_motion_kernels PLI_NAMED(pli_rigid_motion);

#endif
