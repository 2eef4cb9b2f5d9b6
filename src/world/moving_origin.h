// The origin of a world follows what it holds: src/model/origin.h has what it is for, docs/decisions/0038 why.
#ifndef PLI_WORLD_MOVING_ORIGIN_H
#define PLI_WORLD_MOVING_ORIGIN_H

#include "model/origin.h"

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
