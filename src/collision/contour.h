// Directions in which surfaces should move where they intersect.
#ifndef PLI_COLLISION_CONTOUR_H
#define PLI_COLLISION_CONTOUR_H

#include "collision/space.h"

// Sums up the directions along each intersection, once the parts are known.
void pli_contours_sum(pli_space *space);
typedef enum pli_way {
    PLI_WAY_BACK,    // To the side that the edge belongs to.
    PLI_WAY_SHORTER, // So that the intersection becomes shorter.
    PLI_WAY_SLIDE,   // The same, where nothing along all of it is cut off: the surfaces must come out as they are.
} pli_way;
// How the edge should move against the triangle; at most of unit length.
pli_way pli_contour_way(pli_space *space, const pli_tangle *t, pli_dvec3 *direction);

#endif
