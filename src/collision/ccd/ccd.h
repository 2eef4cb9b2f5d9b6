// Continuous collision detection: no pair of surfaces crosses during a substep.
#ifndef PLI_COLLISION_CCD_CCD_H
#define PLI_COLLISION_CCD_CCD_H

#include "collision/state/collision_state.h"

// Shortens trajectories until every candidate pair is clear.
void pli_collision_run_ccd(pli_collision *collision);
// Moves a particle and adds the corresponding velocity; for pli_collision.keep_outside.
void pli_ccd_move(pli_collision *collision, int32_t particle, pli_vec3 by);

// Runs after CCD: prevents the marked intersections. This may keep other intersections as well.
void pli_collision_freeze_growth(pli_collision *collision);

#endif
