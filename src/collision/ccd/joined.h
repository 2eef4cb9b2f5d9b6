// Pinned particles that share a position: the sides of a cut where an attachment pins them. The shared position acts as a shared vertex,
// for which contact makes no pairs, so these particles must move together when CCD lets pinned particles yield.
#ifndef PLI_COLLISION_CCD_JOINED_H
#define PLI_COLLISION_CCD_JOINED_H

#include "collision/state/collision_state.h"

// Lists these particles in the arena. Returns false when out of memory.
bool pli_ccd_find_joined(pli_collision *collision);
// All particles of a group get the mean displacement of its moved particles; or the shortest displacement, which stays on
// the near side of every plane that cut one of them.
bool pli_ccd_keep_joined(pli_collision *collision, bool shortest);

#endif
