// The last stage of continuous collision detection, which needs no rounds: planes.
#ifndef PLI_COLLISION_CCD_PLANES_H
#define PLI_COLLISION_CCD_PLANES_H

#include "collision/state/collision_state.h"

// Cuts trajectories, those of held particles and of colliders that yield included, so that the pairs in `ccd.failing` are clear,
// and every listed pair with a particle that it cut stays so. A pair with any other collider that leaves no place for a plane is left
// as it is. Work is one look at each pair concerned, however hard the case is. Sets `ccd.changed` of what it cut, and `ccd.has_plane`, which the caller has made; who calls it
// tests these pairs again and counts what is left. Returns false when out of memory.
bool pli_ccd_cut_at_planes(pli_collision *collision);

// Leaves all particles and colliders that may be cut where they were at the start of the substep.
void pli_ccd_stop_all(pli_collision *collision);

#endif
