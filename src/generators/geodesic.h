// Lengths of shortest ways along a surface, at rest, from groups of sources.
#ifndef PLI_GENERATORS_GEODESIC_H
#define PLI_GENERATORS_GEODESIC_H

#include "base/memory.h"
#include "tearing/faces.h"

// The way from the nearest source of a group to a vertex.
typedef struct pli_way {
    double length;  // [m], never below the straight distance.
    double before;  // Of it, before its last turn.
    int32_t turn;   // Vertex where its last straight part begins, or -1.
    int32_t source; // Vertex where it begins.
    int32_t group;  // -1 for none.
} pli_way;

// For each vertex the ways from up to `most` groups, the nearest first, as [vertex_count * most] in `ways`; groups that
// no way leads from are left out. `groups` says for each vertex which group it is a source of, or -1. False when memory
// ran out.
bool pli_geodesics(pli_memory *memory, const pli_faces *faces, const int32_t *groups, int32_t most, pli_way *ways);

#endif
