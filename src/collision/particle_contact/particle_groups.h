// Groups of particles that are near each other at rest, for searches of nearby particles.
//
//    16 particles = group,  16 groups = block,  16 blocks = block of the next level, ...
#ifndef PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_GROUPS_H
#define PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_GROUPS_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/broadphase/aabb.h"
#include "collision/particle_contact/particle_kernels.h"

typedef struct pli_groups {
    pli_particle_group *groups;
    pli_particle_group_rest *rests; // [count] rest positions.
    int32_t count, particle_count;
    pli_particle_group_boxes *blocks; // Boxes level by level, in the layout of the tree.
    pli_near_tree tree;
    int32_t level_starts[PLI_NEAR_LEVELS], block_count;
    int32_t *group_of;  // [particle_count] group of each particle.
    uint8_t *deviating; // [count] PLI_GROUP_DEVIATES, PLI_GROUP_DEVIATES_SOON or 0.
    uint8_t *changed;   // [blocks] 1 for blocks whose boxes changed.
    float now, end;     // Interval that the boxes cover [substeps].
    int32_t *order;     // [particle_count] particles in group order; scratch for counting afterwards.
    int32_t group_capacity, rest_capacity, block_capacity, of_capacity, deviating_capacity, changed_capacity,
        order_capacity;
} pli_groups;

// Groups `count` particles by their rest positions, [3 * count] [m]. Returns false when out of memory.
bool pli_groups_build(pli_memory *memory, pli_groups *groups, const float *rest, int32_t count);
// Restarts the trajectories of all groups, or of deviating ones: they start at `from` at time `now` and reach `to` one substep
// later. The boxes cover them until `end` [substeps].
void pli_groups_begin(pli_tasks *tasks, pli_groups *groups, const pli_particle *from, const pli_particle *to, float now,
                      float end, bool all);
// The arrays that the kernels read.
pli_particle_search pli_groups_search(const pli_groups *groups, float reach, float joined);
// Are all boxes finite?
bool pli_groups_are_finite(const pli_groups *groups);
void pli_groups_release(pli_memory *memory, pli_groups *groups);

#endif
