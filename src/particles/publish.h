// Particles in the user's order, and fixing of particles.
#ifndef PLI_PARTICLES_PUBLISH_H
#define PLI_PARTICLES_PUBLISH_H

#include "model/model.h"

// Copies vertices first..first+count-1 to the arrays in the user's order, and to those in the user's coordinates.
void pli_deformable_publish(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count);
// Publishes all vertices, on the world's threads.
void pli_deformable_publish_all(pli_world *world, pli_deformable_data *deformable);
// Allocates positions in the user's coordinates, which a world needs if its origin is not 0. False when memory ran out.
bool pli_world_reserve_published(pli_world *world);
// Positions as the user reads them, by vertex.
const pli_particle *pli_deformable_published(const pli_world *world, const pli_deformable_data *deformable);
// Fixes or releases the particle at an internal place.
void pli_deformable_fix(pli_deformable_data *deformable, int32_t place, bool held);

// Called before a step: keeps the positions that the user reads now, if they are requested. The second function is for vertices that were
// repositioned: it sets their previous position to the present one.
void pli_deformable_keep_shown(const pli_world *world, pli_deformable_data *deformable);
void pli_deformable_forget_shown(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count);

#endif
