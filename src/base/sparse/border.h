// Equations with a border: a factorisation A = L D L^T remains usable when a few unknowns are fixed or join (Woodbury's formula, by the
// Schur complement S of the added part).
//
//   | A    U |  | x |   | r |       z = S^-1 (g - U^T A^-1 r),   S = V - U^T A^-1 U
//   | U^T  V |  | z | = | g |       x = A^-1 (r - U z)
//
// To fix an unknown, U has the unit column of this unknown, with V = g = 0, and z is the force that fixes it. An unknown that joins has its
// entries of the matrix in U and V. F = L^-1 U has entries only on the paths from the nodes of the columns to the root. A solve is
// unchanged except for y -= F z between its two passes, where z follows from (D^-1 F)^T y.
#ifndef PLI_BASE_SPARSE_BORDER_H
#define PLI_BASE_SPARSE_BORDER_H

#include "base/sparse/panel_kernels.h"

enum { PLI_BORDER_MOST = 128 }; // Columns.

// The columns of U, compressed, and V.
typedef struct pli_border_columns {
    int32_t count;
    const int32_t *offsets; // [count + 1] first entry of each column.
    const int32_t *places;  // The place of each entry in the order of elimination.
    const double *values;
    const double *corner; // [count * count] V, symmetric.
} pli_border_columns;

typedef struct pli_border {
    int32_t count; // Columns; 0 for none.
    int32_t place_count;
    int32_t *places; // [place_count] places of the entries of F, ascending.
    float *forward;  // [place_count * count] F by rows.
    float *scaled;   // [place_count * count] D^-1 F by rows.
    float *inverse;  // [count * count] S^-1.
} pli_border;

// `vector` [unknowns + 1] and `panel` are scratch memory of solves; the vector is overwritten. PLI_FACTOR_NOT_POSITIVE if S is singular.
pli_factor_result pli_border_make(pli_memory *memory, const pli_factor *factor, const pli_panel_kernels *kernels,
                                  const pli_border_columns *columns, pli_particle *vector, pli_particle *panel,
                                  pli_border *border);
// Runs between the passes of a solve: `corner` [count] has g on entry and z on return.
void pli_border_apply(const pli_border *border, pli_particle *vector, pli_particle *corner);
void pli_border_free(pli_memory *memory, pli_border *border);

#endif
