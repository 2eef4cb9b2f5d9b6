// A growing list of vertices and faces, into which the generators of primitive meshes write.
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
    bool out_of_memory; // Memory ran out; pli_mesh_list_finish reports it.
} pli_mesh_list;

// Whether a length [m] is positive and finite.
static inline bool pli_is_length(float length) { return isfinite(length) && length > 0; }

// Begins a list. The list and the mesh use the memory of these hooks; null stands for the defaults.
pli_mesh_list pli_mesh_list_start(const pli_hooks *hooks);

// Adds a vertex and returns its index.
int32_t pli_mesh_list_vertex(pli_mesh_list *list, double x, double y, double z);
void pli_mesh_list_triangle(pli_mesh_list *list, int32_t a, int32_t b, int32_t c);
void pli_mesh_list_quad(pli_mesh_list *list, int32_t a, int32_t b, int32_t c, int32_t d);

// Adds one square a b c d of a grid, divided by the pattern of the grid. `parity` alternates between neighbouring
// squares; `centre` is the middle vertex of a crossed square.
void pli_mesh_list_square(pli_mesh_list *list, pli_grid_pattern pattern, const int32_t square[4], int32_t parity,
                          int32_t centre);

// Makes the mesh. Releases the list in any case.
pli_status pli_mesh_list_finish(pli_mesh_list *list, pli_mesh **mesh, pli_error *error);

#endif
