// Orders in which neighbours are near in space: triangles along a Morton curve through their centroids (Morton 1966), and points in
// compact groups of a k-d tree.
#ifndef PLI_COLLISION_BROADPHASE_SPATIAL_ORDER_H
#define PLI_COLLISION_BROADPHASE_SPATIAL_ORDER_H

#include "base/memory.h"

// `triangles` holds 3 vertices each, `positions` 3 floats each [m]. Returns false when out of memory.
bool pli_morton_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                      int32_t position_count, int32_t *order);

// Writes a permutation in which each run of `size` points is a compact group, and each aligned run of 2, 4, 8 ... groups is
// compact as well. `points` is [3 * count]. Returns false when out of memory.
bool pli_kd_order(pli_memory *memory, const float *points, int32_t count, int32_t size, int32_t *order);

#endif
