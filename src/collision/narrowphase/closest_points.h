// Closest points of two primitives, in double precision: decisions that use them must not depend on rounding in
// nearly flat or parallel configurations.
//
//       a0                        a0 ------*------ a1      distance vector `apart`: from side b to side a,
//       |                                  |               the weighted sum of the four points
//   b1--*---b3                    b2 ------*------ b3      (weights of a sum to 1, weights of b to -1)
//     \    /
//       b2
//   vertex and triangle              two edges
//
// Ericson 2005, Real-Time Collision Detection, sections 5.1.5 and 5.1.9.
#ifndef PLI_COLLISION_NARROWPHASE_CLOSEST_POINTS_H
#define PLI_COLLISION_NARROWPHASE_CLOSEST_POINTS_H

#include "base/vector.h"

// Distance up to which sides count as touching: rounding in double [m].
#define PLI_TOUCHING 1e-13
// A weight up to this is 0: the closest point is on a side of a triangle, or at an end of an edge.
#define PLI_NO_WEIGHT 1e-9

// Pairs have four particles: a vertex and its triangle, or the ends of one edge and of the other.
typedef enum pli_pair_kind { PLI_PAIR_VERTEX_TRIANGLE = 0, PLI_PAIR_EDGE_EDGE } pli_pair_kind;

typedef struct pli_closest {
    double weights[4]; // Barycentric weights; they sum to 1 on side a and to -1 on side b.
    pli_dvec3 apart;   // Vector from b to a: the sum of weights times positions [m].
    double square;     // Squared distance [m^2].
} pli_closest;

pli_closest pli_closest_points(pli_pair_kind kind, const pli_dvec3 at[4]);

#endif
