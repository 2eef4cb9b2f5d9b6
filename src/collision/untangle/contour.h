// Directions in which intersecting surfaces separate.
#ifndef PLI_COLLISION_UNTANGLE_CONTOUR_H
#define PLI_COLLISION_UNTANGLE_CONTOUR_H

#include "collision/state/collision_state.h"

// Sums the directions along each contour, once regions are known.
void pli_contours_sum(pli_collision *collision);
typedef enum pli_contour_case {
    PLI_CONTOUR_BACK,    // Towards the side of the edge's surface.
    PLI_CONTOUR_SHORTER, // So that the contour becomes shorter.
    PLI_CONTOUR_SLIDE,   // Shorter as well, for contours that cut off nothing: both surfaces move as they are.
} pli_contour_case;
// Direction of the edge against the triangle, of at most unit length.
pli_contour_case pli_contour_direction(pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction);

#endif
