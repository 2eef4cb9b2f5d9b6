// Edges that go through triangles.
#ifndef PLI_COLLISION_TANGLE_H
#define PLI_COLLISION_TANGLE_H

#include "collision/find.h"

// Whether a segment goes through a triangle; `part` of the segment is where.
bool pli_segment_meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part);

// Moves edges and triangles against each other. False when memory ran out.
bool pli_tangles_pull_apart(pli_space *space);

// Sums up the directions along each intersection, once the parts are known.
void pli_contours_sum(pli_space *space);
typedef enum pli_way {
    PLI_WAY_BACK,    // To the side that the edge belongs to.
    PLI_WAY_SHORTER, // So that the intersection becomes shorter.
    PLI_WAY_SLIDE,   // The same, where nothing along all of it is cut off: the surfaces must come out as they are.
} pli_way;
// How the edge should move against the triangle; at most of unit length.
pli_way pli_contour_way(pli_space *space, const pli_tangle *t, pli_dvec3 *direction);

// Finds the parts of surfaces that the tangles cut off. False when memory ran out.
bool pli_cut_parts(pli_find *find);
// Whether a side of a pair is beyond an intersection with the other.
bool pli_pair_is_cut(const pli_space *space, const pli_pair *pair);

#endif
