// Broad phase: boxes about clusters of primitives, swept from where particles are to where they will be, and which of
// these overlap.
#ifndef PLI_COLLISION_PAIR_SEARCH_CLUSTER_PAIRS_H
#define PLI_COLLISION_PAIR_SEARCH_CLUSTER_PAIRS_H

#include "collision/pair_search/pair_search.h"

// Lays out the boxes of clusters about where their particles are and will be. False when memory ran out.
bool pli_find_refit(const pli_find *find);
// After that, lays out all that is in them. False when memory ran out.
bool pli_find_refit_items(const pli_find *find);
// The box of a cluster, grown.
pli_near_box pli_find_box_of(const pli_contact_mesh *surface, int32_t cluster, float reach);

// Calls visit(data, pair) for near clusters: of the cluster numbered `asking` over all surfaces, with those of
// deformables and what bodies carry, or with those of other colliders.
typedef void (*pli_cluster_visit)(void *data, const pli_cluster_overlap *pair);
void pli_find_clusters(const pli_find *find, int32_t asking, int32_t list, pli_cluster_visit visit, void *data);

// Brings the clusters of a surface that were laid anew into its tree, and into that of all surfaces when that is fitted.
void pli_find_fit_surface(pli_collision *collision, int32_t surface);
// Lays out the box of one cluster anew, and forgets where what is in it was. What stays in place is left alone.
void pli_find_refit_cluster(const pli_find *find, int32_t surface, int32_t cluster);
// Lays out all that is in the cluster pairs from `first` on. False when memory ran out.
bool pli_find_refit_cluster_pairs(const pli_find *find, int32_t list, int32_t first);

#endif
