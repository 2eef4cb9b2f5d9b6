// Broad phase: swept boxes of clusters, and the pairs of clusters whose boxes overlap.
#ifndef PLI_COLLISION_PAIR_SEARCH_CLUSTER_PAIRS_H
#define PLI_COLLISION_PAIR_SEARCH_CLUSTER_PAIRS_H

#include "collision/pair_search/pair_search.h"

// Refits the boxes of all clusters over the search's interval, and the trees above. Returns false when out of memory.
bool pli_find_refit(const pli_find *find);
// Refits the boxes of all primitives, after pli_find_refit. Returns false when out of memory.
bool pli_find_refit_items(const pli_find *find);
// Refits the boxes of the primitives of one cluster, unless they are up to date.
void pli_find_refit_items_of(const pli_find *find, int32_t surface, int32_t cluster);
// The swept box of a cluster, grown by `reach` [m].
pli_near_box pli_find_box_of(const pli_contact_mesh *surface, int32_t cluster, float reach);

// Calls visit(data, pair) for the clusters that overlap cluster number `querying`, counted over all querying surfaces.
// The list determines which other surfaces are tested: deformables and carried colliders, or kinematic colliders.
typedef void (*pli_cluster_visit)(void *data, const pli_cluster_overlap *pair);
void pli_find_clusters(const pli_find *find, int32_t querying, int32_t list, pli_cluster_visit visit, void *data);

// Refits a surface's tree after some of its clusters changed, and marks its box in the tree of surfaces as dirty.
void pli_find_refit_surface(pli_collision *collision, int32_t surface);
// Refits the box of one cluster and invalidates the boxes of its primitives. Skips colliders at rest.
void pli_find_refit_cluster(const pli_find *find, int32_t surface, int32_t cluster);
// Refits the boxes of the primitives in all cluster pairs >= `first`. Returns false when out of memory.
bool pli_find_refit_cluster_pairs(const pli_find *find, int32_t list, int32_t first);

// Overlapping cluster pairs that no flat certificate excludes.

// Lists the cluster pairs that may be in contact. Returns false when out of memory.
bool pli_find_cluster_pairs(const pli_find *find, int32_t list);
// The flat certificate of a surface with self-collision; null without one.
const pli_flat_certificate *pli_find_flat_certificate(const pli_find *find, int32_t surface);
// Bits of the given partners of a cluster that may touch it.
uint64_t pli_find_uncertified(const pli_find *find, int32_t surface, int32_t cluster, uint64_t partners);

#endif
