#ifndef PLI_SOLVER_COLLIDER_H
#define PLI_SOLVER_COLLIDER_H

#include "solver/world.h"

// Lays out world->shapes for the part from..to (of 1) of the step.
void pli_world_place_shapes(pli_world *world, float from, float to);
// The step is done: colliders are where they were going.
void pli_world_finish_shapes(pli_world *world);

#endif
