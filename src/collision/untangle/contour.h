// Directions in which surfaces should move where they intersect.
#ifndef PLI_COLLISION_UNTANGLE_CONTOUR_H
#define PLI_COLLISION_UNTANGLE_CONTOUR_H

#include "collision/state/collision_state.h"

// Sums up the directions along each intersection, once the parts are known.
void pli_contours_sum(pli_collision *collision);
typedef enum pli_contour_case {
    PLI_CONTOUR_BACK,    // To the side that the edge belongs to.
    PLI_CONTOUR_SHORTER, // So that the intersection becomes shorter.
    PLI_CONTOUR_SLIDE,   // The same, where nothing along all of it is cut off: the surfaces must come out as they are.
} pli_contour_case;
// How the edge should move against the triangle; at most of unit length.
pli_contour_case pli_contour_direction(pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction);

#endif
