// Products of a panel of a factor (sparse/factor.h) with vectors of three coordinates, held as particles; w stays 0. Compiled once for
// each SIMD back end.
#ifndef PLI_SPARSE_PANEL_KERNELS_H
#define PLI_SPARSE_PANEL_KERNELS_H

#include "simd/wide.h"
#include "sparse/factor.h"

// The panel has 4 `groups` rows and `columns` columns, a multiple of 4.
typedef struct pli_panel {
    const float *values; // As pli_factor_at has them.
    int32_t groups, columns;
} pli_panel;

typedef struct pli_panel_kernels {
    // result[r] = sum over c of panel[r][c] y[c], c ascending, for the 4 * groups rows.
    void (*times)(pli_panel panel, const pli_particle *y, pli_particle *result);
    // result[c] -= sum over r of panel[r][c] x[r]: four sums over every fourth row, added as (0 + 1) + (2 + 3). `sums` is scratch for
    // 4 * columns.
    void (*subtract_transposed_times)(pli_panel panel, const pli_particle *x, pli_particle *sums, pli_particle *result);
} pli_panel_kernels;

extern const pli_panel_kernels PLI_NAMED(pli_panel_products);

#endif
