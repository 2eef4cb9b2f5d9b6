// The origin of a world follows the objects in it: src/model/origin.h describes its purpose, docs/decisions/precision.md the reasons.
#ifndef PLI_WORLD_MOVING_ORIGIN_H
#define PLI_WORLD_MOVING_ORIGIN_H

#include "model/origin.h"

// Positions of the objects after a teleport, relative to the present origin of the world. Objects that stay keep their positions. A null
// motion means that all objects stay.
typedef struct pli_motion_of_objects {
    pli_dvec3 (*particle)(const void *user, const pli_deformable_data *deformable, pli_dvec3 at);
    pli_dvec3 (*rigid)(const void *user, const pli_rigid_body_data *rigid, pli_dvec3 at);
    const void *user;
} pli_motion_of_objects;

// The origin after the objects have moved in this way, by the rule of the world's settings.
pli_dvec3 pli_world_origin_after(const pli_world *world, const pli_motion_of_objects *motion);
// Sets the origin, for a caller that moves positions itself: all data that depend on the origin are derived again.
void pli_world_take_origin(pli_world *world, pli_dvec3 origin);

// Called before a step: chooses its origin from the state, and allocates the positions to publish. False when memory ran out.
bool pli_world_choose_origin(pli_world *world);
// Called as the step begins: moves the origin to the chosen place, and the state with it.
void pli_world_enter_origin(pli_world *world);
// Called when a step is undone: restores the previous origin. The caller restores the state.
void pli_world_restore_origin(pli_world *world);
// Called before the first deformable of a world is placed in a box, relative to the present origin: moves the origin there, unless the box
// is within its reach.
void pli_world_begin_origin(pli_world *world, pli_dvec3 low, pli_dvec3 high);

#endif
