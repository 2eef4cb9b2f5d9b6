// Pair cache: lists of candidate pairs that are good for some substeps, as long as every particle keeps near a straight
// trajectory.
#ifndef PLI_COLLISION_WAYS_H
#define PLI_COLLISION_WAYS_H

#include "collision/space.h"

// Finds the lists again if they do not hold for the predicted positions. Sets `starved` when memory ran out.
void pli_space_find(pli_space *space);
// The same for the positions at the end of the substep, however far they are: true when it did.
bool pli_space_widen(pli_space *space);

#endif
