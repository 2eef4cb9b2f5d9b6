// Regions of surfaces that intersections cut off.
#ifndef PLI_COLLISION_UNTANGLE_REGIONS_H
#define PLI_COLLISION_UNTANGLE_REGIONS_H

#include "collision/pair_search/pair_search.h"

// Finds the regions of all deformables. Returns false when out of memory.
bool pli_intersection_regions(pli_find *find);
// Is a side of the pair beyond an intersection with the other side?
bool pli_pair_is_intersecting(const pli_collision *collision, const pli_candidate_pair *pair);

#endif
