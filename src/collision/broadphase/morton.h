// Order of triangles along a Morton curve through their centroids (Morton 1966), so that triangles near in the order
// are near in space.
#ifndef PLI_COLLISION_BROADPHASE_MORTON_H
#define PLI_COLLISION_BROADPHASE_MORTON_H

#include "base/memory.h"

// `triangles` holds 3 vertices each, `positions` 3 floats each [m]. Returns false when out of memory.
bool pli_morton_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                      int32_t position_count, int32_t *order);

#endif
