// Points in groups that lie together.
#ifndef PLI_COLLISION_BROADPHASE_KD_ORDER_H
#define PLI_COLLISION_BROADPHASE_KD_ORDER_H

#include "base/memory.h"

// An order in which each `size` of the points, [3 * count], after one another form a group of little extent, and so do pairs of
// groups, fours and so on: those below the nodes of a complete binary tree over groups. False when memory ran out.
bool pli_kd_order(pli_memory *memory, const float *points, int32_t count, int32_t size, int32_t *order);

#endif
