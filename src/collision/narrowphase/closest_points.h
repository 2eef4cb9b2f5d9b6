// Closest points of two primitives, the crossing of an edge and a triangle, and conservative advancement, in double precision: decisions that use them must not depend on rounding in
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

// Tests whether a segment crosses a triangle, in double precision, by the signs of tetrahedron volumes (Segura and Feito 2001).

// Sets the segment's parameter 0..1 at the crossing, if there is one.
bool pli_segment_meets_triangle(const pli_dvec3 ends[2], const pli_dvec3 corners[3], double *part);

// How far a pair may follow its linear trajectories before its sides come too near.
//
// Additive conservative advancement: Li, Kaufman, Jiang 2021, Codimensional Incremental Potential Contact, section 5.
// No cubic is solved, so rounding cannot miss a root.

// Returns the fraction 0..1 of the trajectories up to which the distance stays above `level` [m] plus the fraction
// `share` (0 < share < 1) of the initial excess over `level`, which must be positive; 1 if it stays above to the end.
double pli_advance(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4], double level, double share);

#endif
