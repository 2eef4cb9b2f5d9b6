// Symmetric sparse matrices as a sum of small dense matrices, in compressed rows, as finite elements are assembled.
#ifndef PLI_BASE_SPARSE_SYMMETRIC_MATRIX_H
#define PLI_BASE_SPARSE_SYMMETRIC_MATRIX_H

#include "base/memory.h"

// Elements of `size` unknowns each, or of different sizes. An unknown of -1 is fixed: its rows and columns are left out.
typedef struct pli_elements {
    int32_t count, size;
    const int32_t *unknowns; // The elements' unknowns, one element after another.
    const double *values;    // Symmetric matrices, in the order of the unknowns, one after another.
    const int32_t *offsets;  // [count + 1] start of the unknowns of each element; null if all have `size`.
} pli_elements;

// All entries of each row, below and above the diagonal, by ascending column.
typedef struct pli_symmetric_matrix {
    int32_t count;    // Rows.
    int32_t *offsets; // [count + 1] first entry of each row.
    int32_t *columns; // [offsets[count]]
    double *values;   // [offsets[count]]
} pli_symmetric_matrix;

// Adds the elements, and `diagonal` [count] to the diagonal, in the order of the elements. False when memory ran out, or if there are more
// than 2^31 entries before duplicates are added.
bool pli_symmetric_matrix_assemble(pli_memory *memory, int32_t count, const pli_elements *elements,
                                   const double *diagonal, pli_symmetric_matrix *matrix);
void pli_symmetric_matrix_free(pli_memory *memory, pli_symmetric_matrix *matrix);

#endif
