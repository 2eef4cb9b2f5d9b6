// Tests whether a segment crosses a triangle, in double precision, by the signs of tetrahedron volumes (Segura and Feito 2001).
#ifndef PLI_COLLISION_NARROWPHASE_CROSSING_H
#define PLI_COLLISION_NARROWPHASE_CROSSING_H

#include "base/vector.h"

// Sets the segment's parameter 0..1 at the crossing, if there is one.
bool pli_segment_meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part);

#endif
