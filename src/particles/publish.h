// Particles in the user's order, and fixing of particles.
#ifndef PLI_PARTICLES_PUBLISH_H
#define PLI_PARTICLES_PUBLISH_H

#include "model/model.h"

// The particles as the user reads them, and the state before the step, to undo it.
typedef struct pli_user_view {
    // In the user's order; null where it is the internal order. They change after a completed step only, so they have the state before
    // the step; otherwise the second pair has it.
    pli_particle *particles, *velocities;
    pli_particle *good_particles, *good_velocities;
    // Positions with the world's origin added; null until the origin has left 0, and unused while it is 0.
    pli_particle *in_world;
    pli_particle *before; // Positions before the last step as the user read them; null unless they are kept.
} pli_user_view;

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

// Publishes vertices that were placed rather than moved: their previous position becomes the present one.
void pli_deformable_publish_jump(const pli_world *world, pli_deformable_data *deformable, int32_t first, int32_t count);

#endif
