// The last stage of continuous collision detection, which needs no rounds: planes.
#ifndef PLI_COLLISION_CCD_PLANES_H
#define PLI_COLLISION_CCD_PLANES_H

#include "collision/state/collision_state.h"

// Cuts trajectories, those of held particles and of colliders that yield included, so that the pairs in `ccd.failing` are clear,
// and every listed pair with a particle that it cut stays so. A pair with any other collider that leaves no place for a plane is left
// as it is. Work is one look at each pair concerned, however hard the case is. Sets `ccd.changed` of what it cut; who calls it tests
// these pairs again and counts what is left. Returns false when out of memory.
bool pli_ccd_cut_at_planes(pli_collision *collision);

// Has the last call placed a plane between the sides of this pair, so that it is clear although its sides may touch?
bool pli_ccd_has_plane(const pli_collision *collision, const pli_failing *pair);

#endif
