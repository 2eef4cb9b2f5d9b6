// Pair cache: lists of candidate pairs that are good for some substeps, as long as every particle keeps near a straight
// trajectory.
#ifndef PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H
#define PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H

#include "collision/state/collision_state.h"

// Finds the lists again if they do not hold for the predicted positions. Sets `starved` when memory ran out.
void pli_collision_find(pli_collision *collision);
// The same for the positions at the end of the substep, however far they are: true when it did.
bool pli_collision_widen(pli_collision *collision);

#endif
