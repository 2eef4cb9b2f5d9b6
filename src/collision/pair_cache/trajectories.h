// Pair cache: keeps the candidate pairs valid from substep to substep.
#ifndef PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H
#define PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H

#include "collision/state/collision_state.h"

// Searches again if the cached pairs do not cover the predicted positions. Sets `out_of_memory` on failure.
void pli_collision_update_pairs(pli_collision *collision);
// Does the same for the positions at the end of the substep, whatever their deviation. Returns true when it searched.
bool pli_collision_extend_pairs(pli_collision *collision);

// Shortens the motion of this substep to SHORTER of the longest of deformables.
void pli_collision_shorten_motion(pli_collision *collision);
// Leaves everything where it is in this substep, so that no pairs are to be proved.
void pli_collision_stop_motion(pli_collision *collision);
// Lets rigid bodies yield in this substep that a deformable may be near.
void pli_collision_let_rigids_yield(pli_collision *collision);

#endif
