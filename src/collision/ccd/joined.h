// Held particles in one place: the sides of a cut where an attachment holds them. Their common place stands for a common vertex, of
// which contact makes no pairs, so that they have to go as one where continuous collision detection lets held particles yield.
#ifndef PLI_COLLISION_CCD_JOINED_H
#define PLI_COLLISION_CCD_JOINED_H

#include "collision/state/collision_state.h"

// Lists them in the arena. Returns false when out of memory.
bool pli_ccd_find_joined(pli_collision *collision);
// All of those in one place get the mean displacement of the ones that were moved; or the shortest, which stays on the near side of
// every plane that cut one of them.
bool pli_ccd_keep_joined(pli_collision *collision, bool shortest);

#endif
