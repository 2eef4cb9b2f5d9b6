// Spatial grouping of points by k-d tree order.
#ifndef PLI_COLLISION_BROADPHASE_KD_ORDER_H
#define PLI_COLLISION_BROADPHASE_KD_ORDER_H

#include "base/memory.h"

// Writes a permutation in which each run of `size` points is a compact group, and each aligned run of 2, 4, 8 ... groups is
// compact as well. `points` is [3 * count]. Returns false when out of memory.
bool pli_kd_order(pli_memory *memory, const float *points, int32_t count, int32_t size, int32_t *order);

#endif
