// The guarantee of continuous collision detection: what did not intersect at the start of a substep does not at its end.
#ifndef PLI_COLLISION_CCD_CCD_H
#define PLI_COLLISION_CCD_CCD_H

#include "collision/state/collision_state.h"

// Shortens trajectories until all are clear.
void pli_collision_run_ccd(pli_collision *collision);

#endif
