// Products of panels: sparse/panel_kernels.h.
#include "sparse/panel_kernels.h"

enum { ROWS = PLI_FACTOR_ROWS, PARTS = ROWS / QUADS, SIDE_BY_SIDE = PLI_FACTOR_GROUPS };

static inline void times_groups(pli_panel panel, int32_t group, int32_t groups, const pli_particle *y,
                                pli_particle *result)
{
    quads sums[SIDE_BY_SIDE][PARTS];
    const float *values = panel.values + (size_t)group * (size_t)panel.columns * ROWS;
    for (int i = 0; i < groups; i++)
        for (int k = 0; k < PARTS; k++)
            sums[i][k] = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    for (int32_t c = 0; c < panel.columns; c++, values += groups * ROWS) {
        const quads at = quads_same(y + c);
        for (int i = 0; i < groups; i++)
            for (int k = 0; k < PARTS; k++)
                sums[i][k] = quads_add(sums[i][k], quads_multiply(quads_spread(values + i * ROWS + k * QUADS), at));
    }
    for (int i = 0; i < groups; i++)
        for (int k = 0; k < PARTS; k++)
            quads_store(result + (group + i) * ROWS + k * QUADS, sums[i][k]);
}

static void times(pli_panel panel, const pli_particle *y, pli_particle *result)
{
    int32_t group = 0;
    for (; group + SIDE_BY_SIDE <= panel.groups; group += SIDE_BY_SIDE)
        times_groups(panel, group, SIDE_BY_SIDE, y, result);
    for (; group < panel.groups; group++)
        times_groups(panel, group, 1, y, result);
}

// Adds the products of `groups` groups of rows to the sums of the columns, in the order of the panel.
static inline void add_transposed_groups(pli_panel panel, int32_t group, int32_t groups, const pli_particle *x,
                                         pli_particle *sums)
{
    quads at[SIDE_BY_SIDE][PARTS];
    const float *values = panel.values + (size_t)group * (size_t)panel.columns * ROWS;
    for (int i = 0; i < groups; i++)
        for (int k = 0; k < PARTS; k++)
            at[i][k] = quads_load(x + (group + i) * ROWS + k * QUADS);
    for (int32_t c = 0; c < panel.columns; c++, values += groups * ROWS, sums += ROWS)
        for (int k = 0; k < PARTS; k++) {
            quads sum = quads_load(sums + k * QUADS);
            for (int i = 0; i < groups; i++)
                sum = quads_add(sum, quads_multiply(quads_spread(values + i * ROWS + k * QUADS), at[i][k]));
            quads_store(sums + k * QUADS, sum);
        }
}

static void subtract_transposed_times(pli_panel panel, const pli_particle *x, pli_particle *sums, pli_particle *result)
{
    for (int32_t i = 0; i < panel.columns * ROWS; i += QUADS)
        quads_store(sums + i, quads_set(0.0f, 0.0f, 0.0f, 0.0f));
    int32_t group = 0;
    for (; group + SIDE_BY_SIDE <= panel.groups; group += SIDE_BY_SIDE)
        add_transposed_groups(panel, group, SIDE_BY_SIDE, x, sums);
    for (; group < panel.groups; group++)
        add_transposed_groups(panel, group, 1, x, sums);
    for (int32_t c = 0; c < panel.columns; c++, sums += ROWS, result++) {
        result->x -= (sums[0].x + sums[1].x) + (sums[2].x + sums[3].x);
        result->y -= (sums[0].y + sums[1].y) + (sums[2].y + sums[3].y);
        result->z -= (sums[0].z + sums[1].z) + (sums[2].z + sums[3].z);
    }
}

const pli_panel_kernels PLI_NAMED(pli_panel_products) = {times, subtract_transposed_times};
