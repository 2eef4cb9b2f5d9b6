// The direction of a pair whose sides touch: closest points in one place tell none.
//
//    what is around the touch decides, where one direction has all of side a above it and all of side b below it:
//
//        a ____|____ b      \ a  b /        ____a____        panels edge to edge, a ridge, a wall below a floor
//                            \    /             | b
//
//    surfaces that lie on one another, or cross, are told apart by a rule that neighbouring pairs share:
//
//        front of the collider  >  where the rest of both surfaces is  >  front of the earlier object
#ifndef PLI_COLLISION_UNTANGLE_TOUCHING_H
#define PLI_COLLISION_UNTANGLE_TOUCHING_H

#include "collision/narrowphase/closest_points.h"
#include "collision/state/collision_state.h"

// How far sides that touch may be across each other along a direction in float [m]; and along that in which what is around
// them parts, as a share of their size.
#define PLI_ACROSS 1e-8
#define PLI_ACROSS_SHARE 1e-4

// Sets the unit direction from side b to side a at the start of the substep: that between the closest points, or, where they
// are in one place, that which last separated the pair, or else the rule above, which depends on positions and keys
// alone. Contact and continuous collision detection both use it. Returns false where there is none: of primitives
// without size, and of round shapes at their cores.
bool pli_pair_direction(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                        pli_dvec3 *direction);
// The direction by the rule alone: of sides that touch, or whose distance is rounding. With `parts_only`, not that of surfaces that
// lie on one another or cross.
bool pli_touching_direction(const pli_collision *collision, const pli_candidate_pair *pair, const pli_closest *closest,
                            bool parts_only, pli_dvec3 *direction);
// Gap of two sides along a unit direction from side b to side a [m]; negative when it does not separate them.
double pli_gap_along(pli_pair_kind kind, const pli_dvec3 at[4], pli_dvec3 direction);

#endif
