// Planes: the last stage of continuous collision detection, which needs no rounds.
#ifndef PLI_COLLISION_CCD_PLANES_H
#define PLI_COLLISION_CCD_PLANES_H

#include "collision/state/collision_state.h"

// Cuts trajectories, including those of pinned particles and of colliders that yield, such that the pairs in `ccd.failing` are clear and
// every listed pair of a cut particle stays clear. A pair with any other collider stays as it is if there is no room for a plane. Each
// concerned pair is tested once, however hard the case is. Sets `ccd.changed` of the cut particles, and `ccd.has_plane`, which the caller
// has allocated. The caller tests these pairs again and counts the remaining ones. Returns false when out of memory.
bool pli_ccd_cut_at_planes(pli_collision *collision);

// Leaves all particles and colliders that can be cut at their positions at the start of the substep.
void pli_ccd_stop_all(pli_collision *collision);

#endif
