// Geodesic distances: lengths of shortest paths along a surface at rest, from groups of source vertices.
#ifndef PLI_STRETCH_GEODESIC_H
#define PLI_STRETCH_GEODESIC_H

#include "base/memory.h"
#include "mesh/fabric/faces.h"

// The shortest path found from a group of sources to a vertex.
typedef struct pli_geodesic {
    double length;  // Length [m], never below the straight distance.
    double before;  // Length of the path before its last bend [m].
    int32_t turn;   // Vertex of the last bend, from which the path unfolds to a straight line; -1 for none.
    int32_t source; // Vertex that the path starts from.
    int32_t group;  // Group of that source; -1 for no path.
} pli_geodesic;

// Finds for each vertex the paths from the `most` nearest groups, nearest first, into [vertex_count * most] `paths`.
// Groups that no path leads from have group -1. `groups` holds the group that each vertex is a source of, or -1. False
// when memory ran out.
bool pli_geodesics(pli_memory *memory, const pli_faces *faces, const int32_t *groups, int32_t most,
                   pli_geodesic *paths);

#endif
