#ifndef PLI_WORLD_COLLIDER_H
#define PLI_WORLD_COLLIDER_H

#include "model/model.h"

void pli_collider_free(pli_world *world, pli_collider_data *collider);

// Asks the sources of deforming colliders where their vertices are at the end of the step.
pli_status pli_world_ask_sources(pli_world *world, double time, pli_error *error);
// Before a step: makes room for what placing lays out. False when memory ran out.
bool pli_world_reserve_shapes(pli_world *world);
// Lays out world->shapes, and vertices, for the part from..to (of 1) of the step, a substep of `step` [s].
void pli_world_place_shapes(pli_world *world, float from, float to, float step);
// The step is done: colliders are where they were going.
void pli_world_finish_shapes(pli_world *world);

#endif
