// What the parts of the guarantee share.
#ifndef PLI_COLLISION_GUARD_H
#define PLI_COLLISION_GUARD_H

#include "collision/space.h"

// Part of the way of a pair that is clear, 0..1.
double pli_guard_part(const pli_space *space, const pli_pair *pair);
// Gives a particle that can be moved this way for the substep.
void pli_guard_move(pli_space *space, int32_t i, pli_vec3 way);

// What is left failing moves as one with all that it fails against, until nothing fails. `find`
// lists the failing pairs among those with a changed particle. Counts what has to be given up.
void pli_guard_zones(pli_space *space, bool (*find)(pli_space *space, bool all));

// The other guarantee: no particle goes further than a share of its distance to what it may meet.
void pli_guard_bounds(pli_space *space);

#endif
