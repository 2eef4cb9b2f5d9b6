// Triangles along a Morton curve through their centres (Morton 1966), so that near ones follow one another.
#ifndef PLI_COLLISION_BROADPHASE_MORTON_H
#define PLI_COLLISION_BROADPHASE_MORTON_H

#include "base/memory.h"

// `triangles` are 3 places each into `positions`, which are 3 floats each. False when memory ran out.
bool pli_morton_order(pli_memory *memory, const int32_t *triangles, int32_t triangle_count, const float *positions,
                      int32_t position_count, int32_t *order);

#endif
