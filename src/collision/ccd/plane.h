// A plane between the two sides of a pair: where each particle's trajectory is cut so that the sides cannot meet, whatever share of
// its own trajectory any of the others goes.
//
//      o---> . . x      a trajectory that crosses the plane ends before it
//     ----------------  level 0, nothing of side a below       least   distance that is guaranteed, usually 0
//     ----------------  level 1, nothing of side b above
//      o--------->      a trajectory that does not is not cut: sliding is free
//
// Planes for pairs: newton-physics, particle_vbd_kernels.py (apply_planar_truncation); Chen et al. 2025, Offset Geometric
// Contact, bounds displacements by a sphere where this has half spaces.
#ifndef PLI_COLLISION_CCD_PLANE_H
#define PLI_COLLISION_CCD_PLANE_H

#include "collision/narrowphase/closest_points.h"
#include "collision/state/ccd_state.h"

// The trajectories of a pair in the substep, and what is to be kept.
typedef struct pli_plane_pair {
    pli_pair_kind kind;
    pli_dvec3 from[4], to[4];
    bool firm[2];     // The side goes its whole way, whatever it meets.
    pli_dvec3 normal; // Unit direction from side b to side a in which sides part that touch; 0 for none.
    double least;     // Distance that is guaranteed [m], >= 0.
    double gap_left;  // Gap that is left where it is wider [m].
} pli_plane_pair;

// Finds a plane that every particle is on its own side of at the start, and those of firm sides at the end as well. Returns
// false when there is none: the sides touch already, or a firm side passes the start of the other.
bool pli_plane_between(const pli_plane_pair *pair, pli_plane *plane);

// The share 0..1 of its trajectory that a particle of side 0 or 1 may go; 0 for trajectories that are not finite.
double pli_plane_share(const pli_plane *plane, int side, pli_dvec3 from, pli_dvec3 to);

// Is a place on the side's own side of the plane?
bool pli_plane_keeps(const pli_plane *plane, int side, pli_dvec3 at);

// Which side the particle k (0..3) of a pair belongs to.
static inline int pli_pair_side(pli_pair_kind kind, int k) { return k >= (kind == PLI_PAIR_EDGE_EDGE ? 2 : 1); }

#endif
