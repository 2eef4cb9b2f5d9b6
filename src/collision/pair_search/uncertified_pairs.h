// Overlapping cluster pairs that no flat certificate excludes.
#ifndef PLI_COLLISION_PAIR_SEARCH_UNCERTIFIED_PAIRS_H
#define PLI_COLLISION_PAIR_SEARCH_UNCERTIFIED_PAIRS_H

#include "collision/pair_search/pair_search.h"

// Lists the cluster pairs that may be in contact. Returns false when out of memory.
bool pli_find_cluster_pairs(const pli_find *find, int32_t list);
// The flat certificate of a surface with self-collision; null without one.
const pli_flat_certificate *pli_find_flat_certificate(const pli_find *find, int32_t surface);
// Required separation within a surface.
pli_flat_certificate_limits pli_find_limits(const pli_find *find, int32_t surface);
// Bits of the given partners of a cluster that may touch it.
uint64_t pli_find_uncertified(const pli_find *find, int32_t surface, int32_t cluster, uint64_t partners);

#endif
