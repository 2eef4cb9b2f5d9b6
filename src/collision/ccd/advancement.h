// How far a pair may follow its linear trajectories before its sides come too near.
//
// Additive conservative advancement: Li, Kaufman, Jiang 2021, Codimensional Incremental Potential Contact, section 5.
// No cubic is solved, so rounding cannot miss a root.
#ifndef PLI_COLLISION_CCD_ADVANCEMENT_H
#define PLI_COLLISION_CCD_ADVANCEMENT_H

#include "collision/narrowphase/closest_points.h"

// Returns the fraction 0..1 of the trajectories up to which the distance stays above `level` [m] plus the fraction
// `share` (0 < share < 1) of the initial excess over `level`, which must be positive; 1 if it stays above to the end.
double pli_advance(pli_pair_kind kind, const pli_dvec3 from[4], const pli_dvec3 to[4], double level, double share);

#endif
