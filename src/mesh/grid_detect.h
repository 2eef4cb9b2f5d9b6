// Detection of grids: meshes with the topology of rows and columns, whatever their numbering and shape.
#ifndef PLI_MESH_GRID_DETECT_H
#define PLI_MESH_GRID_DETECT_H

#include "base/memory.h"
#include "pliant/mesh.h"

typedef struct pli_tensor {
    int32_t rows, columns; // 0 when the mesh is not a grid.
    int32_t *order; // [vertices] row * columns + column of each; null when that is its number. The caller releases it.
} pli_tensor;

// Finds the grid of a mesh in which every edge joins neighbours of a row, a column or a diagonal and no row or column
// edge is missing. Returns false when memory ran out.
bool pli_tensor_find(pli_memory *memory, const pli_topology *topology, pli_tensor *tensor);

#endif
