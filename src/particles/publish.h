// Particles in the user's order, and particles that are held.
#ifndef PLI_PARTICLES_PUBLISH_H
#define PLI_PARTICLES_PUBLISH_H

#include "model/model.h"

// Copies vertices first..first+count-1 to the arrays in the user's order.
void pli_deformable_publish(pli_deformable_data *deformable, int32_t first, int32_t count);
// All vertices, on the world's threads.
void pli_deformable_publish_all(pli_world *world, pli_deformable_data *deformable);
// Sets or clears the hold of the particle at an internal place.
void pli_deformable_fix(pli_deformable_data *deformable, int32_t place, bool held);

#endif
