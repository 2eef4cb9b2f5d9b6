// Tethers of long range attachments: which vertices are tethered to which anchors, and their distance along the
// surface.
//
//   A----o----o----o----p       p is tethered to the anchor A: |p - A| <= length of the path along the surface at rest
#ifndef PLI_STRETCH_TETHER_BUILD_H
#define PLI_STRETCH_TETHER_BUILD_H

#include "stretch/geodesic.h"

// A vertex, its anchor, and the length of the path between them at rest.
typedef struct pli_tether {
    int32_t particle, anchor;
    float length; // [m]
} pli_tether;

typedef struct pli_tethers {
    pli_tether *items;
    // [rank_count + 1] first tether of each rank: to the nearest group of anchors, the second nearest, ... A rank is
    // sorted by particle.
    int32_t *offsets;
    int32_t rank_count;
} pli_tethers;

// A search for tethers, which can be made in pieces: every vertex is tethered to the nearest anchor of each of the `most`
// nearest groups of anchors. owners[v] says what holds vertex v, 0 for nothing; anchors with one owner that are joined by
// edges form a group, and are not tethered to it. Anchors of the owner `world` are not tethered at all. The faces must not
// change meanwhile.
typedef struct pli_tether_search {
    pli_memory *memory;
    const pli_faces *faces;
    const int32_t *owners; // The caller's, until the end.
    int32_t world, most;
    int32_t *groups;
    int32_t ranks; // Paths of each vertex.
    pli_geodesics geodesics;
} pli_tether_search;

// Begins the search that memory, faces, owners, world and most of *search say. False when memory ran out.
bool pli_tether_search_begin(pli_tether_search *search);
// Follows as many arrivals of fronts at vertices. True once all have been, or memory ran out.
bool pli_tether_search_go_on(pli_tether_search *search, int64_t arrivals);
// Lists what was found, and frees what the search holds; tethers may be NULL. False when memory ran out.
bool pli_tether_search_end(pli_tether_search *search, pli_tethers *tethers);

// Makes the whole search at once. False when memory ran out.
bool pli_tethers_find(pli_tether_search *search, pli_tethers *tethers);
void pli_tethers_release(pli_memory *memory, pli_tethers *tethers);

#endif
