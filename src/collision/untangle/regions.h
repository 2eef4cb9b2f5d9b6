// Regions of surfaces that intersections cut off.
#ifndef PLI_COLLISION_UNTANGLE_REGIONS_H
#define PLI_COLLISION_UNTANGLE_REGIONS_H

#include "collision/pair_search/pair_search.h"

// Finds the parts of surfaces that the intersections cut off. False when memory ran out.
bool pli_intersection_regions(pli_find *find);
// Whether a side of a pair is beyond an intersection with the other.
bool pli_pair_is_intersecting(const pli_collision *collision, const pli_candidate_pair *pair);

#endif
