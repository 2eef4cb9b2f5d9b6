// Surfaces that were meant to touch, and are across or beside one another by rounding: panels that were turned, or moved far away.
#ifndef PLI_COLLISION_UNTANGLE_ROUNDING_H
#define PLI_COLLISION_UNTANGLE_ROUNDING_H

#include "collision/state/collision_state.h"

// The most that rounding is taken to have moved anything [m]; sets the largest coordinate of each deformable in `sizes`, by surface [m].
float pli_rounding_most(const pli_collision *collision, double *sizes);
// Parts an edge and a triangle that cross, or are near one another, by no more than the rounding of positions, along the direction of
// sides that touch (untangle/touching.h). `shifts` has how far each particle has been moved before [m]. Returns whether it moved any.
bool pli_part_rounded(pli_collision *collision, const pli_intersection *t, bool crosses, const double *sizes,
                      pli_dvec3 *shifts);

#endif
