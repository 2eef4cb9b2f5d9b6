// Contacts of particles with analytic shapes: found once in a substep, projected in every sweep, with friction and
// restitution in the velocity pass. PLI_BATCH consecutive particles form a group.
//
// Mueller et al. 2006, Position Based Dynamics, section 3.4.
#ifndef PLI_COLLISION_SHAPE_CONTACT_SHAPE_KERNELS_H
#define PLI_COLLISION_SHAPE_CONTACT_SHAPE_KERNELS_H

#include "shapes/contact_group.h"

// Bounds of both ends of the trajectories, and the largest displacement along each axis [m]; w: inverse masses.
typedef struct pli_smooth_bounds {
    pli_particle low, high, trajectory;
} pli_smooth_bounds;

// Particles begin..end-1, between 1 and PLI_SMOOTH_BLOCK of them.
typedef void (*pli_smooth_bound)(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_bounds *bounds);
typedef void (*pli_smooth_gather)(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_block *block);

typedef void (*pli_smooth_pass)(const pli_contact_job *job, pli_contact_group *groups, int32_t count);

typedef struct pli_smooth_kernels {
    pli_smooth_bound bound;
    pli_smooth_gather gather;
    pli_smooth_pass project; // One position sweep.
    pli_smooth_pass update;  // The velocity pass: friction and restitution.
} pli_smooth_kernels;

extern const pli_smooth_kernels PLI_NAMED(pli_smooth);

#endif
