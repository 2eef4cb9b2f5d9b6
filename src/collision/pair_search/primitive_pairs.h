// Candidate pairs of primitives: narrow phase of overlapping cluster pairs.
#ifndef PLI_COLLISION_PAIR_SEARCH_PRIMITIVE_PAIRS_H
#define PLI_COLLISION_PAIR_SEARCH_PRIMITIVE_PAIRS_H

#include "collision/pair_search/pair_search.h"

// Makes the list, or appends the pairs of the cluster pairs from `first` on. False when memory ran out.
bool pli_find_pairs(const pli_find *find, int32_t list);
bool pli_find_match(const pli_find *find, int32_t list, int32_t first);

#endif
