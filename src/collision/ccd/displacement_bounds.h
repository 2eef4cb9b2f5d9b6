// Displacement bounds, an alternative to advancement for comparison (docs/decisions/guarantee.md): in a substep, each particle
// moves at most a fixed fraction of its distance to the nearest candidate. Chen et al. 2025, Offset Geometric Contact,
// section 4.
#ifndef PLI_COLLISION_CCD_DISPLACEMENT_BOUNDS_H
#define PLI_COLLISION_CCD_DISPLACEMENT_BOUNDS_H

#include "collision/state/collision_state.h"

// Writes the displacement bound of each particle [m] to `ccd.bounds`. Returns false when out of memory.
bool pli_bound_displacements(pli_collision *collision);

#endif
