// The mesh of a plate: the edges of its triangles, including edges inside polygons, with the triangles on both sides.
#ifndef PLI_BENDING_PLATE_MESH_H
#define PLI_BENDING_PLATE_MESH_H

#include "base/memory.h"
#include "mesh/fabric/faces.h"

// Side 3 t + k is edge k of triangle t, from its corner k to the next.
typedef struct pli_plate_mesh {
    int32_t edge_count;
    int32_t *edge_of; // [3 * triangles] the edge of each side.
    int32_t *sides;   // [2 * edge_count] the sides of each edge, the lower first; -1 at borders.
} pli_plate_mesh;

// False when memory ran out.
bool pli_plate_mesh_make(pli_memory *memory, const pli_faces *faces, pli_plate_mesh *mesh);
void pli_plate_mesh_free(pli_memory *memory, pli_plate_mesh *mesh);

#endif
