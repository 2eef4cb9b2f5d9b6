// Contacts of particles with smooth colliders: found once a substep, projected every sweep, and given friction and
// restitution in the velocity update, for PLI_BATCH particles that lie one after the other at a time.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.4.
#ifndef PLI_COLLISION_SHAPE_CONTACT_SHAPE_KERNELS_H
#define PLI_COLLISION_SHAPE_CONTACT_SHAPE_KERNELS_H

#include "shapes/contact_group.h"

// The box about the ends of the trajectories of some particles, and the longest way along each axis. Of w: inverse masses.
typedef struct pli_smooth_bounds {
    pli_particle low, high, trajectory;
} pli_smooth_bounds;

// Of the particles begin..end-1, at least one and at most PLI_SMOOTH_BLOCK.
typedef void (*pli_smooth_bound)(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_bounds *bounds);
typedef void (*pli_smooth_gather)(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_block *block);

typedef void (*pli_smooth_pass)(const pli_contact_job *job, pli_contact_group *groups, int32_t count);

typedef struct pli_smooth_kernels {
    pli_smooth_bound bound;
    pli_smooth_gather gather;
    pli_smooth_pass project; // One sweep.
    pli_smooth_pass update;  // Friction and restitution.
} pli_smooth_kernels;

extern const pli_smooth_kernels PLI_NAMED(pli_smooth);

#endif
