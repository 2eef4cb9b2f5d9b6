// Surfaces that should touch, but overlap or have a gap by rounding: for example panels that were rotated or moved far away.
#ifndef PLI_COLLISION_UNTANGLE_ROUNDING_H
#define PLI_COLLISION_UNTANGLE_ROUNDING_H

#include "collision/state/collision_state.h"

// Upper bound of the rounding of positions [m]. Sets the largest coordinate of each deformable in `sizes`, by surface [m].
float pli_rounding_most(const pli_collision *collision, double *sizes);
// Separates an edge and a triangle that cross or are near one another by no more than the rounding of positions, along the direction
// of touching sides (untangle/touching.h). `shifts` accumulates the displacement of each particle [m]. Returns whether any moved.
bool pli_part_rounded(pli_collision *collision, const pli_intersection *t, bool crosses, const double *sizes,
                      pli_dvec3 *shifts);

#endif
