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

// A front's arrival at a vertex.
typedef struct pli_arrival {
    double length;
    int32_t vertex, group;
} pli_arrival;

// A search for the paths to each vertex from the `most` nearest groups, which can be made in pieces. The faces must not
// change meanwhile.
typedef struct pli_geodesics {
    pli_memory *memory;
    const pli_faces *faces;
    int32_t most;
    pli_geodesic
        *paths; // [vertex_count * most] nearest first once it is done; group -1 where no path leads. The caller's.
    pli_arrival *heap;
    int32_t count, capacity;
    bool failed; // Memory ran out.
} pli_geodesics;

// Begins the search that `memory`, `faces`, `most` and `paths` of *search say. `groups` holds the group that each vertex
// is a source of, or -1.
void pli_geodesics_begin(pli_geodesics *search, const int32_t *groups);
// Follows as many arrivals; true once the search is done or memory ran out. In which pieces it is made changes nothing.
bool pli_geodesics_go_on(pli_geodesics *search, int64_t arrivals);
// Frees what it holds, but not `paths`.
void pli_geodesics_end(pli_geodesics *search);

#endif
