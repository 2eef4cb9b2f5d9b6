// Pair cache: keeps the candidate pairs valid from substep to substep.
#ifndef PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H
#define PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H

#include "collision/state/collision_state.h"

// Searches again if the cached pairs do not cover the predicted positions. Sets `out_of_memory` on failure.
void pli_collision_update_pairs(pli_collision *collision);
// Does the same for the positions at the end of the substep, which may deviate by more than the slack. Returns true if it searched.
bool pli_collision_extend_pairs(pli_collision *collision);

// Shortens the motion of this substep to SHORTER times the longest displacement of all deformables.
void pli_collision_shorten_motion(pli_collision *collision);
// Leaves everything in place in this substep, so that no pairs need proof.
void pli_collision_stop_motion(pli_collision *collision);
// Lets rigid bodies that may be near a deformable yield in this substep.
void pli_collision_let_rigids_yield(pli_collision *collision);

#endif
