// Overlapping cluster pairs, but for those that a flat certificate (sheet.h) proves to be clear of one another.
#ifndef PLI_COLLISION_PAIR_SEARCH_UNCERTIFIED_PAIRS_H
#define PLI_COLLISION_PAIR_SEARCH_UNCERTIFIED_PAIRS_H

#include "collision/pair_search/pair_search.h"

// Lists the clusters that may touch. False when memory ran out.
bool pli_find_cluster_pairs(const pli_find *find, int32_t list);
// The sheet of a surface that can touch itself, or null.
const pli_flat_certificate *pli_find_flat_certificate(const pli_find *find, int32_t surface);
// What is to be left between parts of a sheet.
pli_flat_certificate_limits pli_find_limits(const pli_find *find, int32_t surface);
// Which of some partners of a cluster of a sheet may touch it.
uint64_t pli_find_uncertified(const pli_find *find, int32_t surface, int32_t cluster, uint64_t partners);

#endif
