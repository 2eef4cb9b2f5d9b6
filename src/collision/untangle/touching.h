// The direction of a pair whose sides touch: coinciding closest points define none.
//
//    the surroundings of the touch decide, where a direction has all of side a above and all of side b below the touch:
//
//        a ____|____ b      \ a  b /        ____a____        panels edge to edge, a ridge, a wall below a floor
//                            \    /             | b
//
//    surfaces that lie on one another, or cross, are ordered by a rule that gives neighbouring pairs the same result:
//
//        front of the collider  >  where the rest of both surfaces is  >  front of the earlier object
#ifndef PLI_COLLISION_UNTANGLE_TOUCHING_H
#define PLI_COLLISION_UNTANGLE_TOUCHING_H

#include "collision/narrowphase/closest_points.h"
#include "collision/state/collision_state.h"

// Most that touching sides may overlap along a direction in float [m]; and, as a fraction of their size, along the direction in
// which their surroundings separate.
#define PLI_ACROSS 1e-8
#define PLI_ACROSS_SHARE 1e-4

// Sets the unit direction from side b to side a at the start of the substep: between the closest points; if these coincide, the
// direction that last separated the pair; else the direction by the rule above, which depends on positions and keys alone.
// Contact and continuous collision detection both use it. Returns false where there is none: for primitives without size, and
// for round shapes at their cores.
bool pli_pair_direction(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                        pli_dvec3 *direction);
// Gap of two sides along a unit direction from side b to side a [m]; negative if the direction does not separate them.
double pli_gap_along(pli_pair_kind kind, const pli_dvec3 at[4], pli_dvec3 direction);

// Surfaces that should touch, but overlap or have a gap by rounding: for example panels that were rotated or moved far away.

// Upper bound of the rounding of positions [m]. Sets the largest coordinate of each deformable in `sizes`, by surface [m].
float pli_rounding_most(const pli_collision *collision, double *sizes);
// Separates an edge and a triangle that cross or are near one another by no more than the rounding of positions, along the direction
// of touching sides (untangle/touching.h). `shifts` accumulates the displacement of each particle [m]. Returns whether any moved.
bool pli_part_rounded(pli_collision *collision, const pli_intersection *t, bool crosses, const double *sizes,
                      pli_dvec3 *shifts);

#endif
