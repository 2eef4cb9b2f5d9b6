// A search for what is near what: which surfaces ask which others, up to what distance, and between which ages of the
// trajectories.
#ifndef PLI_COLLISION_PAIR_SEARCH_PAIR_SEARCH_H
#define PLI_COLLISION_PAIR_SEARCH_PAIR_SEARCH_H

#include "collision/state/collision_state.h"

// A search: surfaces before `surface_count` ask, those of deformables and then of what rigid bodies carry, in
// the order of the space. Behind them are the other colliders.
typedef struct pli_find {
    pli_collision *collision;
    float reach[PLI_LIST_COUNT]; // Of any pair that is listed [m].
    float mean_edge;
    const pli_particle *starts; // Ways of particles begin there at an age of 0,
    float from, to;             // and are looked at between these ages [substeps].
    int32_t surface_count;
    // [surface_count + 1] what there is of each kind before each surface:
    int32_t *vertex_bases, *edge_bases, *cluster_bases;
} pli_find;

// Two clusters that are near: of a surface that asks, and of the same one or a later one.
typedef struct pli_cluster_overlap {
    int32_t surface[2], cluster[2];
} pli_cluster_overlap;

// A search over the surfaces of the space with no budget yet, until the scope of its arena ends. False when memory ran out.
bool pli_find_begin(pli_collision *collision, pli_find *find);
// Which of `count` owners has an item, by where theirs begin.
int32_t pli_find_owner(const int32_t *bases, int32_t count, int32_t item);

#endif
