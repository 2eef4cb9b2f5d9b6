// Separation of intersections: finds the regions that intersections cut off, and moves an edge and the triangle that it crosses in opposite
// directions. One-sided contacts keep the progress.
//
// A one-sided contact keeps a vertex on the wrong side of a triangle from moving deeper along a given direction than at the
// start of the substep. It is projected with the other contacts; otherwise stretched cloth would undo the progress of each substep.
#ifndef PLI_COLLISION_UNTANGLE_SEPARATE_H
#define PLI_COLLISION_UNTANGLE_SEPARATE_H

#include "collision/pair_search/pair_search.h"
#include "collision/state/collision_state.h"

// Finds the regions of all deformables. Returns false when out of memory.
bool pli_intersection_regions(pli_find *find);
// Is a side of the pair beyond an intersection with the other side?
bool pli_pair_is_intersecting(const pli_collision *collision, const pli_candidate_pair *pair);

// Separates all intersections as far as one substep allows. Returns false when out of memory.
bool pli_separate_intersections(pli_collision *collision);

// Reserves one-sided contacts. Returns false when out of memory.
bool pli_one_sided_reserve(pli_collision *collision, int32_t count);
// Creates a one-sided contact; `weights` of the corners sum to 1, and surfaces[0] is the surface of the vertex.
pli_surface_contact pli_one_sided_of(int32_t vertex, const int32_t corners[3], const double weights[3],
                                     pli_dvec3 direction, const int32_t surfaces[2]);

#endif
