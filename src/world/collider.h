// Colliders in the stages of a step (pliant/collider.h).
#ifndef PLI_WORLD_COLLIDER_H
#define PLI_WORLD_COLLIDER_H

#include "model/model.h"

void pli_collider_free(pli_world *world, pli_collider_data *collider);

// Calls the vertex sources of deforming colliders for the end of the step.
pli_status pli_world_read_sources(pli_world *world, double time, pli_error *error);
// Before a step: builds a surface for analytic shapes that are narrow compared with the triangles of a deformable that they may touch,
// and removes it from other analytic shapes; reserves the hierarchy over shapes. The result depends only on the objects. False when memory ran out.
bool pli_world_update_narrow_shapes(pli_world *world);
// Fills world->shapes and places vertices for a substep of `step` seconds, from the fraction `from` to `to` (0..1) of the step.
void pli_world_place_shapes(pli_world *world, float from, float to, float step);
// Stops collider `number` at the fraction `share` of its path in the current substep of `world`, a pli_world. In the next substep it
// continues from there.
void pli_collider_yield(void *world, int32_t number, float share);
// Ends the step: colliders are at their targets, or where they yielded.
void pli_world_finish_shapes(pli_world *world);

#endif
