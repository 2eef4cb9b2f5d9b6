// The exact side of a plane on which a point lies.
//
//            c              d on this side: > 0
//          /   \.
//        a ---- b           below the plane: < 0
#ifndef PLI_MESH_PRIMITIVES_ORIENTATION_H
#define PLI_MESH_PRIMITIVES_ORIENTATION_H

// Returns six times the volume of the tetrahedron a b c d, whose points have three floats each. It is positive when d lies on the side
// from which a b c are counter-clockwise. The sign is exact for all finite floats; the size has double rounding.
double pli_orientation(const float *a, const float *b, const float *c, const float *d);

#endif
