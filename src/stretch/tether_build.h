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

// Tethers every vertex to the nearest anchor of each of the `most` nearest groups of anchors. owners[v] says what holds
// vertex v, 0 for nothing; anchors with one owner that are joined by edges form a group, and are not tethered to it.
// Anchors of the owner `world` are not tethered at all. False when memory ran out.
bool pli_tethers_find(pli_memory *memory, const pli_faces *faces, const int32_t *owners, int32_t world, int32_t most,
                      pli_tethers *tethers);
void pli_tethers_release(pli_memory *memory, pli_tethers *tethers);

#endif
