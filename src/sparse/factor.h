// Factorisation of a symmetric positive definite sparse matrix in blocks, A = L D L^T, with what a solve needs of it in floats:
// for each node b of the dissection the inverse of its block of D, and the coupling L_rb to the rows r above it.
//
//   forward    y_r -= L_rb y_b         in the order of the nodes
//   backward   x_b  = D_b^-1 y_b - L_rb^T x_r    against it
//
// Solving for a correction keeps the digits that floats lack (sparse/solve.h).
#ifndef PLI_SPARSE_FACTOR_H
#define PLI_SPARSE_FACTOR_H

#include "sparse/dissection.h"

// Rows of a panel come in groups, and groups side by side: whoever reads a column of all rows that lie together, then the next
// column, reads memory in order.
enum { PLI_FACTOR_ROWS = 4, PLI_FACTOR_GROUPS = 4 };

// Where the entry of a panel is that has `rows` rows, a multiple of PLI_FACTOR_ROWS, and `columns` columns. Groups that are left over
// behind the last PLI_FACTOR_GROUPS lie by themselves.
static inline int64_t pli_factor_at(int32_t rows, int32_t columns, int32_t row, int32_t column)
{
    const int32_t group = row / PLI_FACTOR_ROWS, begin = group / PLI_FACTOR_GROUPS * PLI_FACTOR_GROUPS;
    const bool whole = (begin + PLI_FACTOR_GROUPS) * PLI_FACTOR_ROWS <= rows;
    const int32_t first = whole ? begin : group, together = whole ? PLI_FACTOR_GROUPS : 1;
    return ((int64_t)first * columns + (int64_t)column * together + (group - first)) * PLI_FACTOR_ROWS +
           row % PLI_FACTOR_ROWS;
}

typedef struct pli_factor_node {
    int32_t first, count;      // Places of its unknowns.
    int32_t columns;           // `count` rounded up to PLI_FACTOR_ROWS, as the columns of both panels are.
    int32_t row_count;         // Rows of the coupling, rounded up likewise; padding has the place -1.
    int64_t rows;              // Where its rows begin in `rows` of the factor.
    int64_t inverse, coupling; // Where its panels begin in `values`.
} pli_factor_node;

typedef struct pli_factor {
    pli_dissection dissection;
    pli_factor_node *nodes; // [dissection.node_count]
    int32_t *rows;          // Places, ascending in each node.
    float *values;
    int64_t row_total, value_total;
    int32_t most_columns, most_rows; // The largest of any node.
} pli_factor;

typedef enum pli_factor_result { PLI_FACTOR_OK, PLI_FACTOR_NO_MEMORY, PLI_FACTOR_NOT_POSITIVE } pli_factor_result;

// Factors the matrix in double. `points` are three coordinates an unknown, by which it is divided.
pli_factor_result pli_factor_make(pli_memory *memory, const pli_symmetric_matrix *matrix, const double *points,
                                  pli_factor *factor);
void pli_factor_free(pli_memory *memory, pli_factor *factor);

#endif
