// Colliders in the stages of a step (pliant/collider.h).
#ifndef PLI_WORLD_COLLIDER_H
#define PLI_WORLD_COLLIDER_H

#include "model/model.h"

void pli_collider_free(pli_world *world, pli_collider_data *collider);

// Calls the vertex sources of deforming colliders for the end of the step.
pli_status pli_world_read_sources(pli_world *world, double time, pli_error *error);
// Before a step: grows the array of moving shapes. False when memory ran out.
bool pli_world_reserve_shapes(pli_world *world);
// Before a step: gives analytic shapes a surface where they are narrow beside the triangles of a deformable that they may meet, and
// takes it from the others. It depends on the objects alone. False when memory ran out.
bool pli_world_update_narrow_shapes(pli_world *world);
// Fills world->shapes and places vertices for the share from..to (0..1) of the step, a substep of `step` seconds.
void pli_world_place_shapes(pli_world *world, float from, float to, float step);
// Leads collider `number` to a share of its way in the substep that `world`, a pli_world, is in; it goes on from there in the next.
void pli_collider_yield(void *world, int32_t number, float share);
// Ends the step: colliders are at their targets, or where they yielded.
void pli_world_finish_shapes(pli_world *world);

#endif
