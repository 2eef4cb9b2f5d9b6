// Which particles are tethered to which anchors, and how far these are along the surface.
#ifndef PLI_STRETCH_TETHER_BUILD_H
#define PLI_STRETCH_TETHER_BUILD_H

#include "stretch/geodesic.h"

// A particle and an anchor, as vertices, and the length of the way between them at rest.
typedef struct pli_tether {
    int32_t particle, anchor;
    float length; // [m]
} pli_tether;

typedef struct pli_tethers {
    pli_tether *items;
    int32_t *offsets; // [rank_count + 1] of the nearest, the second nearest...; each in the order of their particles.
    int32_t rank_count;
} pli_tethers;

// Tethers every vertex to the nearest anchor of each of the up to `most` nearest groups of anchors. `owners` says what
// holds each vertex, 0 for nothing; anchors that edges join and that one thing holds are a group, and are not tethered
// to it. `world` is the owner whose anchors are tethered to nothing. False when memory ran out.
bool pli_tethers_find(pli_memory *memory, const pli_faces *faces, const int32_t *owners, int32_t world, int32_t most,
                      pli_tethers *tethers);
void pli_tethers_release(pli_memory *memory, pli_tethers *tethers);

#endif
