// Lengths of shortest trajectories along a surface, at rest, from groups of sources.
#ifndef PLI_STRETCH_GEODESIC_H
#define PLI_STRETCH_GEODESIC_H

#include "base/memory.h"
#include "mesh/fabric/faces.h"

// The way from the nearest source of a group to a vertex.
typedef struct pli_contour_case {
    double length;  // [m], never below the straight distance.
    double before;  // Of it, before its last turn.
    int32_t turn;   // Vertex where its last straight part begins, or -1.
    int32_t source; // Vertex where it begins.
    int32_t group;  // -1 for none.
} pli_contour_case;

// For each vertex the trajectories from up to `most` groups, the nearest first, as [vertex_count * most] in `trajectories`; groups that
// no way leads from are left out. `groups` says for each vertex which group it is a source of, or -1. False when memory
// ran out.
bool pli_geodesics(pli_memory *memory, const pli_faces *faces, const int32_t *groups, int32_t most,
                   pli_contour_case *trajectories);

#endif
