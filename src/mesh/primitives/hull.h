// Convex hulls inside the library: the triangles of a hull, and the mesh made from them.
#ifndef PLI_MESH_PRIMITIVES_HULL_H
#define PLI_MESH_PRIMITIVES_HULL_H

#include "mesh/mesh.h"

// A triangle of the hull under construction.
typedef struct pli_hull_face {
    int32_t corners[3]; // Counter-clockwise from outside.
    int32_t across[3];  // The face across the side from corner k to k + 1.
    int32_t above;      // The first point outside the face, the head of a list; -1 when there is none.
    int32_t plane;      // Number of its plane, set at the end.
    bool removed, visible, waiting;
} pli_hull_face;

typedef struct pli_hull {
    pli_memory *memory;
    const float *positions;
    pli_hull_face *faces;
    int32_t face_count, face_capacity;
} pli_hull;

// Makes the mesh of a hull: coplanar faces become one polygon, which becomes a fan of triangles. Vertices inside faces
// or edges are left out.
pli_status pli_hull_finish(const pli_hull *hull, int32_t point_count, const pli_hooks *hooks, pli_mesh **mesh,
                           pli_error *error);

#endif
