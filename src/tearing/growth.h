#ifndef PLI_TEARING_GROWTH_H
#define PLI_TEARING_GROWTH_H

#include "model/model.h"

// Room for `capacity` particles. The dummy moves to the new end. False when memory ran out; what has grown
// by then stays so, which does no harm.
bool pli_deformable_grow(pli_world *world, pli_deformable_data *deformable, int32_t capacity);

#endif
