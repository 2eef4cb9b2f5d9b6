// A growing list of vertices and faces: what the built-in meshes are written into.
#ifndef PLI_MESH_PRIMITIVES_MESH_LIST_H
#define PLI_MESH_PRIMITIVES_MESH_LIST_H

#include "mesh/mesh.h"

#include <math.h>

typedef struct pli_mesh_list {
    pli_memory memory;
    float *positions;
    int32_t *sizes, *indices;
    int32_t vertex_count, face_count, index_count;
    int32_t position_capacity, size_capacity, index_capacity;
    bool out_of_memory; // Sticks; pli_mesh_list_finish reports it.
} pli_mesh_list;

// A length in metres that a mesh can be built with.
static inline bool pli_is_length(float length) { return isfinite(length) && length > 0; }

// The list, and the mesh in the end, with the memory of these hooks; null is the default ones.
pli_mesh_list pli_mesh_list_start(const pli_hooks *hooks);

// Returns the new vertex's index.
int32_t pli_mesh_list_vertex(pli_mesh_list *list, double x, double y, double z);
void pli_mesh_list_triangle(pli_mesh_list *list, int32_t a, int32_t b, int32_t c);
void pli_mesh_list_quad(pli_mesh_list *list, int32_t a, int32_t b, int32_t c, int32_t d);

// One square a b c d of a grid, divided by its pattern. `parity` tells neighbouring squares apart,
// `centre` is the middle vertex of a crossed one.
void pli_mesh_list_square(pli_mesh_list *list, pli_grid_pattern pattern, const int32_t square[4], int32_t parity,
                          int32_t centre);

// Makes the mesh and releases the list, also on failure.
pli_status pli_mesh_list_finish(pli_mesh_list *list, pli_mesh **mesh, pli_error *error);

#endif
