// Ranges of the world's store: those of deformables, and of colliders with vertices.
#ifndef PLI_PARTICLES_STORE_RANGE_H
#define PLI_PARTICLES_STORE_RANGE_H

#include "model/model.h"

// Appends a range and says where it begins. False when memory ran out, with nothing changed.
bool pli_range_take(pli_world *world, int32_t span, int32_t *first);
// Makes a deformable's range longer at its end. Those behind it move up. False as above.
bool pli_range_grow(pli_world *world, pli_deformable_data *deformable, int32_t span);
// Takes a range out. Those behind it move down.
void pli_range_return(pli_world *world, int32_t first, int32_t span);

#endif
