// Directions in which intersecting surfaces separate.
#ifndef PLI_COLLISION_UNTANGLE_CONTOUR_H
#define PLI_COLLISION_UNTANGLE_CONTOUR_H

#include "collision/state/collision_state.h"

// Sums the directions along each contour, once regions are known.
void pli_contours_sum(pli_collision *collision);
typedef enum pli_contour_case {
    PLI_CONTOUR_BACK,    // Back through the triangle, to the correct side.
    PLI_CONTOUR_SHORTER, // Shortens the contour.
    PLI_CONTOUR_SLIDE,   // Shortens a contour that cuts off nothing; the surfaces gain velocity.
} pli_contour_case;
// Direction of the edge relative to the triangle, of at most unit length.
pli_contour_case pli_contour_direction(pli_collision *collision, const pli_intersection *t, pli_dvec3 *direction);

#endif
