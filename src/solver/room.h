#ifndef PLI_SOLVER_ROOM_H
#define PLI_SOLVER_ROOM_H

#include "solver/body.h"

// Room for `capacity` particles. The dummy moves to the new end. False when memory ran out; what has grown
// by then stays so, which does no harm.
bool pli_body_grow(pli_world *world, pli_body *body, int32_t capacity);

#endif
