// Meshes whose vertices lie in rows and columns: the topology of a grid, whatever their numbering and shape.
#ifndef PLI_MESH_GRID_DETECT_H
#define PLI_MESH_GRID_DETECT_H

#include "base/memory.h"
#include "pliant/mesh.h"

typedef struct pli_tensor {
    int32_t rows, columns; // 0 when the mesh is no grid.
    int32_t *order;        // [vertices] row * columns + column of each; null when that is its number. The caller's.
} pli_tensor;

// Whether every edge joins neighbours of such a grid, straight or across, and all straight ones are there. False
// when memory ran out.
bool pli_tensor_find(pli_memory *memory, const pli_topology *topology, pli_tensor *tensor);

#endif
