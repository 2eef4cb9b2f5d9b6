// Particles in groups of those that lie together at rest, for a search of what comes near what.
#ifndef PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_GROUPS_H
#define PLI_COLLISION_PARTICLE_CONTACT_PARTICLE_GROUPS_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/broadphase/aabb.h"
#include "collision/particle_contact/particle_kernels.h"

typedef struct pli_groups {
    pli_particle_group *groups;
    pli_particle_group_rest *rests; // [count]
    int32_t count, particle_count;
    pli_particle_group_boxes *blocks; // Level by level, as the tree reads them.
    pli_near_tree tree;
    int32_t level_starts[PLI_NEAR_LEVELS], block_count;
    int32_t *group_of;  // [particle_count]
    uint8_t *deviating; // [count] whether its particles have left their trajectories (pli_particle_contact_kernels).
    uint8_t *changed;   // [blocks] while trajectories are begun.
    float now, end;     // Boxes are about trajectories between these times [substeps].
    int32_t *order;     // [particle_count] while groups are made; room to count in afterwards.
    int32_t group_capacity, rest_capacity, block_capacity, of_capacity, deviating_capacity, changed_capacity,
        order_capacity;
} pli_groups;

// Puts particles into groups by where they rest, [3 * count]. False when memory ran out.
bool pli_groups_build(pli_memory *memory, pli_groups *groups, const float *rest, int32_t count);
// Begins the trajectories of all groups, or of those astray, at places `from` by their numbers, that lead to `to` in a substep;
// boxes are about them until `end`.
void pli_groups_begin(pli_tasks *tasks, pli_groups *groups, const pli_particle *from, const pli_particle *to, float now,
                      float end, bool all);
// What kernels read.
pli_particle_search pli_groups_search(const pli_groups *groups, float reach, float joined);
// Whether all boxes are finite.
bool pli_groups_are_finite(const pli_groups *groups);
void pli_groups_release(pli_memory *memory, pli_groups *groups);

#endif
