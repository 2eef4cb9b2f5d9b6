// Continuous collision detection: no pair of surfaces crosses during a substep.
#ifndef PLI_COLLISION_CCD_CCD_H
#define PLI_COLLISION_CCD_CCD_H

#include "collision/state/collision_state.h"

// Shortens trajectories until every candidate pair is clear.
void pli_collision_run_ccd(pli_collision *collision);
// Moves a particle and adds the corresponding velocity; for pli_collision_hooks.keep_outside.
void pli_ccd_move(pli_collision *collision, int32_t particle, pli_vec3 by);

// Runs after CCD: prevents the marked intersections. This may keep other intersections as well.
void pli_collision_freeze_growth(pli_collision *collision);

// Pinned particles that share a position: the sides of a cut where an attachment pins them. The shared position acts as a shared vertex,
// for which contact makes no pairs, so these particles must move together when CCD lets pinned particles yield.

// Lists these particles in the arena. Returns false when out of memory.
bool pli_ccd_find_joined(pli_collision *collision);
// All particles of a group get the mean displacement of its moved particles; or the shortest displacement, which stays on
// the near side of every plane that cut one of them.
bool pli_ccd_keep_joined(pli_collision *collision, bool shortest);

#endif
