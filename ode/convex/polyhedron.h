// Convex polyhedra: flat faces, edges with the faces beside them.
#ifndef PLI_ODE_POLYHEDRON_H
#define PLI_ODE_POLYHEDRON_H

#include "convex/turn_vector.h"

#include <pliant/world.h>

typedef struct polyhedron_face {
    vec normal;           // Unit, outwards.
    double offset;        // Of the plane along the normal [m].
    int32_t first, count; // Of its corners, counter-clockwise from outside.
} polyhedron_face;

typedef struct polyhedron_edge {
    int32_t from, to;    // As it runs in `left`.
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

// Of a closed convex mesh of triangles; triangles in one plane become one face.
pli_status polyhedron_create(const pli_mesh *mesh, polyhedron **result, pli_error *error);
void polyhedron_destroy(polyhedron *polyhedron);

#endif
