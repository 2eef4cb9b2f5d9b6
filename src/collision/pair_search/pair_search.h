// A search for candidate pairs: which surfaces query which others, up to what distance, and over which
// interval of the trajectories.
#ifndef PLI_COLLISION_PAIR_SEARCH_PAIR_SEARCH_H
#define PLI_COLLISION_PAIR_SEARCH_PAIR_SEARCH_H

#include "collision/state/collision_state.h"

// Surfaces before `surface_count` query: first deformables, then colliders carried by rigid bodies. The surfaces after
// them are kinematic colliders, which are only queried.
typedef struct pli_find {
    pli_collision *collision;
    // The largest gap of all pairs in each list [m]; 0 for overlapping boxes only. pli_find_reach returns it for two surfaces.
    float reach[PLI_LIST_COUNT];
    float mean_edge;            // Smallest mean edge of all deformables [m].
    const pli_particle *starts; // Positions at age 0 of the trajectories [m].
    float from, to;             // Interval that boxes cover, as ages [substeps].
    int32_t surface_count;
    // [surface_count + 1] vertices, edges and clusters before each surface:
    int32_t *vertex_bases, *edge_bases, *cluster_bases;
} pli_find;

// Two clusters with overlapping boxes, the second of the same or a later surface.
typedef struct pli_cluster_overlap {
    int32_t surface[2], cluster[2];
} pli_cluster_overlap;

// Starts a search over all surfaces, with the reach of their rest distances and no slack yet. Its arrays live in the
// scratch arena. Returns false when out of memory.
bool pli_find_begin(pli_collision *collision, pli_find *find);
// Largest gap of a pair of two surfaces in a list, or of a surface with itself [m]; other surfaces do not affect it.
float pli_find_reach(const pli_find *find, int32_t list, int32_t a, int32_t b);
// Largest distance that a surface keeps from itself [m]: its thickness, but at most two of its mean edges. In thicker
// cloth, neighbours at rest are so much closer than the thickness that it could not bend anyway.
static inline float pli_find_own_distance(const pli_contact_mesh *s, float thickness)
{
    return pli_lower(2.0f * s->mean_edge, thickness);
}
// Returns which of `count` owners has an item, by binary search in the first items of the owners.
int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item);

// Candidate pairs of primitives: narrow phase of overlapping cluster pairs.

// pli_find_pairs builds a complete list; pli_find_match appends the pairs of the cluster pairs >= `first`. Both return
// false when out of memory.
bool pli_find_pairs(const pli_find *find, int32_t list);
bool pli_find_match(const pli_find *find, int32_t list, int32_t first);

#endif
