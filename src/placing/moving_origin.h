// The origin of a world follows what it holds: src/model/origin.h has what it is for, docs/decisions/0038 why.
#ifndef PLI_PLACING_MOVING_ORIGIN_H
#define PLI_PLACING_MOVING_ORIGIN_H

#include "model/origin.h"

// Where a teleport takes each object: its position, relative to the world's origin as it is. Objects that stay have their
// own. A null motion stands for one in which all stay.
typedef struct pli_motion_of_objects {
    pli_dvec3 (*particle)(const void *user, const pli_deformable_data *deformable, pli_dvec3 at);
    pli_dvec3 (*rigid)(const void *user, const pli_rigid_body_data *rigid, pli_dvec3 at);
    const void *user;
} pli_motion_of_objects;

// Where the origin is to be once the objects have moved so, by the rule of the world's settings.
pli_dvec3 pli_world_origin_after(const pli_world *world, const pli_motion_of_objects *motion);
// Puts the origin there, for a caller that moves positions itself: what follows from the origin is derived again.
void pli_world_take_origin(pli_world *world, pli_dvec3 origin);

// Before a step: decides from the state where its origin will be, and makes room for the positions to publish. False
// when memory ran out.
bool pli_world_choose_origin(pli_world *world);
// As the step begins: moves the origin there, and the state with it.
void pli_world_enter_origin(pli_world *world);
// Undoing a step: the origin is where it was before. The state is restored by the caller.
void pli_world_restore_origin(pli_world *world);
// Before the first deformable of a world is placed in a box, relative to the origin as it is: takes the origin there, unless
// the box is within its reach.
void pli_world_begin_origin(pli_world *world, pli_dvec3 low, pli_dvec3 high);

#endif
