// The guarantee of continuous collision detection: what did not intersect at the start of a substep does not at its end.
#ifndef PLI_COLLISION_GUARD_H
#define PLI_COLLISION_GUARD_H

#include "collision/space.h"

// Shortens ways until all are clear.
void pli_space_guard(pli_space *space);

#endif
