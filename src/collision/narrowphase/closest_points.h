// Where a vertex and a triangle, or two edges, are nearest. In double: what is decided by these
// points must not hang on the rounding of nearly flat or parallel cases.
//
//   Ericson 2005, Real-Time Collision Detection, sections 5.1.5 and 5.1.9.
#ifndef PLI_COLLISION_NARROWPHASE_CLOSEST_POINTS_H
#define PLI_COLLISION_NARROWPHASE_CLOSEST_POINTS_H

#include "base/vector.h"

// Four particles: a vertex and its triangle, or the ends of one edge and of another.
typedef enum pli_pair_kind { PLI_PAIR_VERTEX_TRIANGLE = 0, PLI_PAIR_EDGE_EDGE } pli_pair_kind;

typedef struct pli_closest {
    double weights[4]; // Of the four particles: side a's sum to 1, side b's to -1, so that
    pli_dvec3 apart;   // apart = sum of weights times positions, from b to a.
    double square;     // Of the distance.
} pli_closest;

pli_closest pli_closest_points(pli_pair_kind kind, const pli_dvec3 at[4]);

#endif
