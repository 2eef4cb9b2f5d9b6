// Pair cache: keeps the candidate pairs valid from substep to substep.
#ifndef PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H
#define PLI_COLLISION_PAIR_CACHE_TRAJECTORIES_H

#include "collision/state/collision_state.h"

// Searches again if the cached pairs do not cover the predicted positions. Sets `out_of_memory` on failure.
void pli_collision_update_pairs(pli_collision *collision);
// Does the same for the positions at the end of the substep, whatever their deviation. Returns true when it searched.
bool pli_collision_extend_pairs(pli_collision *collision);

// Shortens the motion of free particles in this substep to SHORTER of the longest.
void pli_collision_shorten_motion(pli_collision *collision);
// Leaves free particles where they are in this substep, so that no pairs among them are to be proved; what the host moves
// is given up.
void pli_collision_stop_motion(pli_collision *collision);

#endif
