// Ranges of the particle store. Each deformable, and each collider with vertices, owns one contiguous range. When a range grows or is
// removed, the ranges after it shift, and every owner's pointers and first index are updated.
#ifndef PLI_PARTICLES_STORE_RANGE_H
#define PLI_PARTICLES_STORE_RANGE_H

#include "model/model.h"

// Appends a range of `span` particles and returns the index of its first in `first`. False when memory ran out, with
// nothing changed.
bool pli_range_take(pli_world *world, int32_t span, int32_t *first);
// Extends the range of a deformable at its end to `span` particles; ranges after it move up. False when memory ran out, with nothing
// changed.
bool pli_range_grow(pli_world *world, pli_deformable_data *deformable, int32_t span);
// Removes a range; ranges after it move down.
void pli_range_return(pli_world *world, int32_t first, int32_t span);

#endif
