// The exact side of a plane on which a point lies.
//
//            c              d on this side: > 0
//          /   \.
//        a ---- b           below the plane: < 0
#ifndef PLI_MESH_PRIMITIVES_ORIENTATION_H
#define PLI_MESH_PRIMITIVES_ORIENTATION_H

// Six times the volume of the tetrahedron a b c d of points of three floats each: positive when d lies on the side from
// which a b c are counter-clockwise. The sign is exact for all finite floats; the size is rounded as doubles are.
double pli_orientation(const float *a, const float *b, const float *c, const float *d);

#endif
