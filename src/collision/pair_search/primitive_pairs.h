// Candidate pairs of primitives: narrow phase of overlapping cluster pairs.
#ifndef PLI_COLLISION_PAIR_SEARCH_PRIMITIVE_PAIRS_H
#define PLI_COLLISION_PAIR_SEARCH_PRIMITIVE_PAIRS_H

#include "collision/pair_search/pair_search.h"

// pli_find_pairs builds a complete list; pli_find_match appends the pairs of the cluster pairs >= `first`. Both return
// false when out of memory.
bool pli_find_pairs(const pli_find *find, int32_t list);
bool pli_find_match(const pli_find *find, int32_t list, int32_t first);

#endif
