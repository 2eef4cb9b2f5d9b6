// Parameters of a search for candidate pairs: which surfaces query which others, up to what distance, and over which
// interval of the trajectories.
#ifndef PLI_COLLISION_PAIR_SEARCH_PAIR_SEARCH_H
#define PLI_COLLISION_PAIR_SEARCH_PAIR_SEARCH_H

#include "collision/state/collision_state.h"

// Surfaces before `surface_count` query: those of deformables, then those carried by rigid bodies. The surfaces behind
// them are kinematic colliders, which are only queried.
typedef struct pli_find {
    pli_collision *collision;
    float reach[PLI_LIST_COUNT]; // Largest gap of a pair in each list [m].
    float mean_edge;
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
// Which of `count` owners has an item, by binary search in the owners' first items.
int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item);

#endif
