// Contacts of particles with smooth colliders: which particles are looked at together, and in what order.
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

// Lays out a tree over as many shapes, where they are during the substep.
void pli_shapes_place(pli_bvh16 *around, const pli_moving_shape *shapes);

// Finds the contacts of particles begin..end-1. Writes at most `capacity` groups and returns how many
// there are, in the order of pli_contact_before. `begin` is a multiple of PLI_SMOOTH_BLOCK.
int32_t pli_contacts_find(const pli_contact_job *job, const pli_smooth_kernels *kernels, int32_t begin, int32_t end,
                          pli_contact_group *groups, int32_t capacity);

// The order in which contacts are found: by blocks of particles, colliders, and particles.
bool pli_contact_before(int32_t particle, int32_t collider, int32_t other_particle, int32_t other_collider);

// Whether any has pushed.
bool pli_contacts_push(const pli_contact_group *groups, int32_t count);

// Contacts in the groups.
int32_t pli_contacts_count(const pli_contact_group *groups, int32_t count);

#endif
