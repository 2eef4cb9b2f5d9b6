// Convex polyhedra: planar faces, and edges with their two faces.
#ifndef PLI_ODE_POLYHEDRON_H
#define PLI_ODE_POLYHEDRON_H

#include "convex/turn_vector.h"

#include <pliant/world.h>

typedef struct polyhedron_face {
    vec normal;           // Unit, outwards.
    double offset;        // Distance of the plane from the origin along the normal [m].
    int32_t first, count; // Range of its corners, counter-clockwise from outside.
} polyhedron_face;

typedef struct polyhedron_edge {
    int32_t from, to;    // Oriented as in `left`.
    int32_t left, right; // Faces.
} polyhedron_edge;

typedef struct polyhedron {
    vec *vertices;
    polyhedron_face *faces;
    int32_t *corners;
    polyhedron_edge *edges;
    int32_t vertex_count, face_count, corner_count, edge_count;
    vec centre; // Mean of the vertices.
} polyhedron;

// Contacts of two polyhedra are searched among all pairs of their edges, so the number of edges is bounded.
enum { POLYHEDRON_VERTICES_MAX = 4096 };

// Builds a polyhedron from a closed convex triangle mesh of at most POLYHEDRON_VERTICES_MAX vertices; coplanar triangles become one face.
pli_status polyhedron_create(const pli_mesh *mesh, polyhedron **result, pli_error *error);
void polyhedron_destroy(polyhedron *polyhedron);

#endif
