// How far four particles may go along straight trajectories before the two sides come too near.
//
//   Additive conservative advancement: Li, Kaufman, Jiang 2021, Codimensional Incremental Potential
//   Contact, section 5. No root of a cubic is sought, so nothing is missed by rounding.
#ifndef PLI_COLLISION_CCD_ADVANCEMENT_H
#define PLI_COLLISION_CCD_ADVANCEMENT_H

#include "collision/narrowphase/closest_points.h"

// The part of the way, 0..1, up to which the distance stays above `share` of what it is at the
// start (0 < share < 1). 1 when it does so to the end.
double pli_advance(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4], double share);

#endif
