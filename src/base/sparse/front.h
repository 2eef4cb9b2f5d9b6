// Dense arithmetic of one node of a sparse factorisation: eliminates columns of a symmetric matrix, and passes the remaining Schur
// complement to the parent (multifrontal method; Duff and Reid 1983).
#ifndef PLI_BASE_SPARSE_FRONT_H
#define PLI_BASE_SPARSE_FRONT_H

#include "base/sparse/panel_kernels.h"

// The lower triangle of a symmetric matrix, by columns: entry (row, column) is values[column * size + row], row >= column. The first
// `count` columns are eliminated.
typedef struct pli_front {
    int32_t size, count;
    double *values; // [size * size]
} pli_front;

// Cholesky's factorisation of the eliminated columns, in place: afterwards these columns contain L, and the other columns contain the Schur
// complement. False if the matrix is not positive definite.
bool pli_front_eliminate(pli_front front, const pli_panel_kernels *kernels);

// From the columns of L, with `inverse` and `coupling` by columns:
//   inverse [count * count]             inverse of the eliminated diagonal block S = L_bb L_bb^T
//   coupling [count * (size - count)]   L_rb L_bb^-1 = A_rb S^-1
void pli_front_invert(pli_front front, const pli_panel_kernels *kernels, double *inverse, double *coupling);

#endif
