// Triangles in groups that lie together.
#ifndef PLI_COLLISION_COMPACT_H
#define PLI_COLLISION_COMPACT_H

#include "base/memory.h"

// An order in which each `size` triangles after one another form a group of little extent, and so do pairs of groups, fours and
// so on: those below the nodes of a complete binary tree over groups. `triangles` are 3 places each into `positions`, which
// are 3 floats each. False when memory ran out.
bool pli_compact_order(pli_memory *memory, const int32_t *triangles, int32_t count, const float *positions, int32_t size,
                         int32_t *order);

#endif
