// Neighbours of triangles by sorted rows, as the tutorial finds them step by step.
#ifndef PLI_VIEW_NEIGHBORS_H
#define PLI_VIEW_NEIGHBORS_H

#include <pliant/mesh.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pli_view_row {
    int32_t low, high, edge; // Vertices of an edge of a triangle, and its number: 3 times the triangle, plus its place.
    bool shared;             // Found next to its equal.
} pli_view_row;

// The sorted rows of a mesh, to be freed, after the first `walked` of them were compared with the next one. After rows that differ the
// walk goes on by `stride`: 1 is right, 2 is the bug of a well-known listing. Null when memory runs out.
pli_view_row *pli_view_rows_make(const pli_topology *topology, int32_t walked, int32_t stride);
// The number of shared edges that were found.
int32_t pli_view_rows_found(const pli_view_row *rows, int32_t count);

#ifdef __cplusplus
}
#endif
#endif
