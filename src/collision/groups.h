// Particles in groups of those that lie together at rest, for a search of what comes near what.
#ifndef PLI_COLLISION_GROUPS_H
#define PLI_COLLISION_GROUPS_H

#include "base/memory.h"
#include "base/tasks.h"
#include "collision/bounds.h"
#include "wide/balls.h"

typedef struct pli_groups {
    pli_ball_group *groups;
    pli_ball_rest *rests; // [count]
    int32_t count, particle_count;
    pli_ball_block *blocks; // Level by level, as the tree reads them.
    pli_near_tree tree;
    int32_t level_starts[PLI_NEAR_LEVELS], block_count;
    int32_t *group_of; // [particle_count]
    uint8_t *astray;   // [count] whether its particles have left their ways (pli_ball_kernels).
    uint8_t *changed;  // [blocks] while ways are begun.
    float now, end;    // Boxes are about ways between these times [substeps].
    int32_t *order;    // [particle_count] while groups are made; room to count in afterwards.
    int32_t group_room, rest_room, block_room, of_room, astray_room, changed_room, order_room;
} pli_groups;

// Puts particles into groups by where they rest, [3 * count]. False when memory ran out.
bool pli_groups_build(pli_memory *memory, pli_groups *groups, const float *rest, int32_t count);
// Begins the ways of all groups, or of those astray, at places `from` by their numbers, that lead to `to` in a substep;
// boxes are about them until `end`.
void pli_groups_begin(pli_tasks *tasks, pli_groups *groups, const pli_particle *from, const pli_particle *to, float now,
                      float end, bool all);
// What kernels read.
pli_balls pli_groups_balls(const pli_groups *groups, float reach, float joined);
// Whether all boxes are finite.
bool pli_groups_are_finite(const pli_groups *groups);
void pli_groups_release(pli_memory *memory, pli_groups *groups);

#endif
