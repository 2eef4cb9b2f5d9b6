// A growing list of vertices and faces: what the built-in meshes are written into.
#ifndef PLI_MESH_POLYGONS_H
#define PLI_MESH_POLYGONS_H

#include "mesh/mesh.h"

#include <math.h>

typedef struct pli_polygons {
    pli_memory memory;
    float *positions;
    int32_t *sizes, *indices;
    int32_t vertex_count, face_count, index_count;
    int32_t position_capacity, size_capacity, index_capacity;
    bool out_of_memory; // Sticks; pli_polygons_finish reports it.
} pli_polygons;

// A length in metres that a mesh can be built with.
static inline bool pli_is_length(float length)
{
    return isfinite(length) && length > 0;
}

pli_polygons pli_polygons_start(void);

// Returns the new vertex's index.
int32_t pli_polygons_vertex(pli_polygons *polygons, double x, double y, double z);
void pli_polygons_triangle(pli_polygons *polygons, int32_t a, int32_t b, int32_t c);
void pli_polygons_quad(pli_polygons *polygons, int32_t a, int32_t b, int32_t c, int32_t d);

// One square a b c d of a grid, divided by its pattern. `parity` tells neighbouring squares apart,
// `centre` is the middle vertex of a crossed one.
void pli_polygons_square(pli_polygons *polygons, pli_grid_pattern pattern, const int32_t square[4], int32_t parity,
                         int32_t centre);

// Makes the mesh and releases the list, also on failure.
pli_status pli_polygons_finish(pli_polygons *polygons, pli_mesh **mesh, pli_error *error);

#endif
