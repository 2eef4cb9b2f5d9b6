// Displacement bounds, the guarantee that advancement is compared with (decisions/0007): no particle goes further in a substep
// than a share of its distance to what it may meet, so that two that meet half way do not. Chen et al. 2025, Offset Geometric
// Contact, section 4.
#ifndef PLI_COLLISION_CCD_DISPLACEMENT_BOUNDS_H
#define PLI_COLLISION_CCD_DISPLACEMENT_BOUNDS_H

#include "collision/state/collision_state.h"

// How far each particle may go in this substep [m], in the space's `bounds`. False when memory ran out.
bool pli_bound_displacements(pli_collision *collision);

#endif
