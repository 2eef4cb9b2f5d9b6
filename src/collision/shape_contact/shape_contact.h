// Contacts of particles with analytic shapes: search, order and counts.
#ifndef PLI_COLLISION_SHAPE_CONTACT_SHAPE_CONTACT_H
#define PLI_COLLISION_SHAPE_CONTACT_SHAPE_CONTACT_H

#include "collision/broadphase/bvh16.h"
#include "collision/shape_contact/shape_kernels.h"

static inline bool pli_contact_at(const pli_contact_group *group, int32_t lane) { return group->lanes >> lane & 1u; }

static inline void pli_contact_drop(pli_contact_group *group, int32_t lane)
{
    group->lanes &= ~(1u << lane);
    group->offset[lane] = -INFINITY;
}

// Refits the BVH of shapes to their poses during the substep.
void pli_shapes_place(pli_bvh16 *around, const pli_moving_shape *shapes);

// Finds the contacts of particles begin..end-1, `begin` being a multiple of PLI_SMOOTH_BLOCK. Writes at most
// `capacity` groups, ordered by pli_contact_before, and returns how many there are.
int32_t pli_contacts_find(const pli_contact_job *job, const pli_smooth_kernels *kernels, int32_t begin, int32_t end,
                          pli_contact_group *groups, int32_t capacity);

// Order of contacts: by block of particles, then collider, then particle.
bool pli_contact_before(int32_t particle, int32_t collider, int32_t other_particle, int32_t other_collider);

// Has any contact pushed its particle?
bool pli_contacts_push(const pli_contact_group *groups, int32_t count);

// Number of contacts in the groups.
int32_t pli_contacts_count(const pli_contact_group *groups, int32_t count);

#endif
