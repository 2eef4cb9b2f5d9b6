// Growth of the arrays of a deformable when cuts add particles.
#ifndef PLI_TEARING_GROWTH_H
#define PLI_TEARING_GROWTH_H

#include "model/model.h"

// Reserves memory for `capacity` particles; the dummy particle moves to the new end. Returns false when memory ran out.
// Arrays that have grown by then keep their new size, which is harmless.
bool pli_deformable_grow(pli_world *world, pli_deformable_data *deformable, int32_t capacity);

#endif
