// Regions of surfaces that intersections cut off.
#ifndef PLI_COLLISION_CUT_H
#define PLI_COLLISION_CUT_H

#include "collision/search.h"

// Finds the parts of surfaces that the tangles cut off. False when memory ran out.
bool pli_cut_parts(pli_find *find);
// Whether a side of a pair is beyond an intersection with the other.
bool pli_pair_is_cut(const pli_space *space, const pli_pair *pair);

#endif
