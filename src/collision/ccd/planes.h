// A plane between the two sides of a pair. Each particle's trajectory is cut at the plane, so that the sides cannot
// meet, whatever fraction of its own trajectory any other particle moves.
//
//      o---> . . x      a trajectory that crosses the plane ends before it
//     ----------------  level 0, no point of side a below     least   guaranteed distance, usually 0
//     ----------------  level 1, no point of side b above
//      o--------->      a trajectory that does not cross is not cut: sliding is free
//
// Planes for pairs: newton-physics, particle_vbd_kernels.py (apply_planar_truncation). Chen et al. 2025, Offset
// Geometric Contact, bounds displacements by a sphere instead of half-spaces.
#ifndef PLI_COLLISION_CCD_PLANES_H
#define PLI_COLLISION_CCD_PLANES_H

#include "collision/narrowphase/closest_points.h"
#include "collision/state/ccd_state.h"
#include "collision/state/collision_state.h"

// The trajectories of a pair in the substep, and the gap to keep.
typedef struct pli_plane_pair {
    pli_pair_kind kind;
    pli_dvec3 from[4], to[4];
    bool firm[2];     // The side always completes its path.
    pli_dvec3 normal; // Unit direction from side b to side a in which touching sides separate; 0 for none.
    double least;     // Guaranteed distance [m], >= 0.
    double gap_left;  // Gap that remains if it is wider at the start [m].
} pli_plane_pair;

// Finds a plane that has every particle on its own side at the start, and particles of firm sides also at the end.
// Returns false if there is none: the sides already touch, or a firm side passes the start of the other.
bool pli_plane_between(const pli_plane_pair *pair, pli_plane *plane);

// Returns the fraction 0..1 of its trajectory that a particle of side 0 or 1 may move; 0 for trajectories that are not finite.
double pli_plane_share(const pli_plane *plane, int side, pli_dvec3 from, pli_dvec3 to);

// Is a point on the side's own side of the plane?
bool pli_plane_keeps(const pli_plane *plane, int side, pli_dvec3 at);

// Returns the side of particle k (0..3) of a pair.
static inline int pli_pair_side(pli_pair_kind kind, int k) { return k >= (kind == PLI_PAIR_EDGE_EDGE ? 2 : 1); }

// Planes: the last stage of continuous collision detection, which needs no rounds.

// Cuts trajectories, including those of pinned particles and of colliders that yield, such that the pairs in `ccd.failing` are clear and
// every listed pair of a cut particle stays clear. A pair with any other collider stays as it is if there is no room for a plane. Each
// concerned pair is tested once, however hard the case is. Sets `ccd.changed` of the cut particles, and `ccd.has_plane`, which the caller
// has allocated. The caller tests these pairs again and counts the remaining ones. Returns false when out of memory.
bool pli_ccd_cut_at_planes(pli_collision *collision);

// Leaves all particles and colliders that can be cut at their positions at the start of the substep.
void pli_ccd_stop_all(pli_collision *collision);

#endif
