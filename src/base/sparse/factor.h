// Factorisation of a symmetric positive definite sparse matrix in blocks, A = L D L^T, with the data for a solve in floats: for each node b
// of the dissection the coupling L_rb to the rows r above it, and the inverse of its block of D next to -L_rb^T. Both passes are then one
// product with a panel per node:
//
//   forward    y_r -= L_rb y_b                           in the order of the nodes
//   backward   x_b  = [ D_b^-1   -L_rb^T ] (y_b, x_r)    in the reverse order
//
// Solving for a correction keeps the precision that floats lack (base/sparse/solve.h).
#ifndef PLI_BASE_SPARSE_FACTOR_H
#define PLI_BASE_SPARSE_FACTOR_H

#include "base/tasks.h"
#include "base/sparse/dissection.h"

// Rows and columns of a panel are padded to PLI_FACTOR_ROWS, PLI_FACTOR_GROUPS groups of that many rows are stored together, and lists of
// places are padded to PLI_FACTOR_PLACES.
enum { PLI_FACTOR_ROWS = 4, PLI_FACTOR_GROUPS = 4, PLI_FACTOR_PLACES = 16 };

static inline int32_t pli_factor_padded(int32_t count, int32_t multiple)
{
    return (count + multiple - 1) / multiple * multiple;
}

// The index of an entry in a panel with `rows` rows and `columns` columns, padded. Tiles of 4 x 4 are stored by rows; the tiles of up to
// PLI_FACTOR_GROUPS groups of rows follow one another, then the tiles of the next four columns. Reading in this order, one set of groups
// after the other, reads memory sequentially.
static inline int64_t pli_factor_at(int32_t rows, int32_t columns, int32_t row, int32_t column)
{
    enum { SIDE = PLI_FACTOR_ROWS };
    const int32_t group = row / SIDE, first = group / PLI_FACTOR_GROUPS * PLI_FACTOR_GROUPS, left = rows / SIDE - first;
    const int32_t together = left < PLI_FACTOR_GROUPS ? left : PLI_FACTOR_GROUPS;
    const int64_t tile = (int64_t)first * (columns / SIDE) + (int64_t)(column / SIDE) * together + (group - first);
    return tile * SIDE * SIDE + row % SIDE * SIDE + column % SIDE;
}

typedef struct pli_factor_node {
    int32_t first, count; // Places of its unknowns.
    int32_t row_count;    // Rows of the coupling, without padding.
    int64_t places;       // Start of its list in `places` of the factor: its own places, then its rows ascending.
    // Start of its panels in `values`: the panels of all nodes for the forward pass are in the order of the nodes, then the panels of the
    // backward pass in reverse order, so that each pass reads memory sequentially.
    int64_t forward, backward;
} pli_factor_node;

typedef struct pli_factor {
    pli_dissection dissection;
    pli_factor_node *nodes; // [dissection.node_count]
    int32_t *places;        // Padding refers to the place after the last one.
    float *values;
    int64_t place_total, value_total;
    int32_t most_columns, most_rows; // Columns and rows of the largest panels, padded.
} pli_factor;

typedef enum pli_factor_result { PLI_FACTOR_OK, PLI_FACTOR_NO_MEMORY, PLI_FACTOR_NOT_POSITIVE } pli_factor_result;

// Factors the matrix in double. `points` has three coordinates for each unknown, which determine the dissection. The result is the same for
// any number of threads and any back end. `tasks` may be null.
struct pli_panel_kernels;
pli_factor_result pli_factor_make(pli_memory *memory, const struct pli_panel_kernels *kernels, pli_tasks *tasks,
                                  const pli_symmetric_matrix *matrix, const double *points, pli_factor *factor);
void pli_factor_free(pli_memory *memory, pli_factor *factor);

#endif
