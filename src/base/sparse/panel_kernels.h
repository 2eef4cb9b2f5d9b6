// Product of a panel of a factor (base/sparse/factor.h) with vectors of three coordinates, stored as particles whose w is 0; and sums of columns
// in double, of which the factor is made. Compiled once for each SIMD back end.
//
// A panel is read in tiles of 4 x 4 entries, one register or a part of it, which is multiplied by four x, four y and four z:
//
//        c0 c1 c2 c3                 x_c0 x_c1 x_c2 x_c3                  Each entry of the sums adds every fourth column, c ascending,
//   r0 |             |               the same in each row                 and a row's four are added as (0 + 1) + (2 + 3).
//   r1 |   tile      |       times                            sums up
//   r2 |             |               y ..., z ...
//   r3 |             |
#ifndef PLI_BASE_SPARSE_PANEL_KERNELS_H
#define PLI_BASE_SPARSE_PANEL_KERNELS_H

#include "base/simd/wide.h"
#include "base/sparse/factor.h"

typedef struct pli_panel {
    const float *values;     // Stored as pli_factor_at defines.
    int32_t groups, columns; // The groups have 4 rows each; columns are a multiple of 4.
} pli_panel;

typedef struct pli_panel_kernels {
    // result[r] = sum over c of panel[r][c] vector[places[c]] for the 4 * groups rows. The number of places is `columns` rounded up to
    // PLI_FACTOR_PLACES; the places after the columns may have any valid value. `operands` is scratch of 3/4 that size.
    void (*times)(pli_panel panel, const pli_particle *vector, const int32_t *places, pli_particle *operands,
                  pli_particle *result);
    // to[i] -= (columns[0][i] weights[0] + columns[1][i] weights[1]) + (columns[2][i] weights[2] + columns[3][i] weights[3])
    void (*subtract_four)(double *to, const double *const columns[4], const double weights[4], int32_t count);
    // to[i] += column[i] weight
    void (*add_scaled)(double *to, const double *column, double weight, int32_t count);
} pli_panel_kernels;

// The product with a panel of a node of the factor that has columns: the coupling, or the panel of the backward pass. Returns its rows, in
// `panel`, which is scratch of pli_panel_size(factor).
static inline const pli_particle *pli_node_product(const pli_factor *factor, const pli_panel_kernels *kernels,
                                                   const pli_factor_node *node, bool back, const pli_particle *vector,
                                                   pli_particle *panel)
{
    const int32_t rows = back ? node->count : node->row_count, columns = node->count + (back ? node->row_count : 0);
    const pli_panel matrix = {factor->values + (back ? node->backward : node->forward),
                              pli_factor_padded(rows, PLI_FACTOR_ROWS) / PLI_FACTOR_ROWS,
                              pli_factor_padded(columns, PLI_FACTOR_ROWS)};
    pli_particle *result = panel + 3 * (factor->most_columns / PLI_FACTOR_ROWS);
    kernels->times(matrix, vector, factor->places + node->places, panel, result);
    return result;
}
static inline int32_t pli_panel_size(const pli_factor *factor)
{
    return 3 * (factor->most_columns / PLI_FACTOR_ROWS) + factor->most_rows;
}

extern const pli_panel_kernels PLI_NAMED(pli_panel_products);

#endif
