// Products of panels: sparse/solve_kernels.h.
#include "sparse/solve_kernels.h"

enum { ROWS = 4, PARTS = ROWS / QUADS };

static void times(pli_panel panel, const pli_particle *y, pli_particle *result)
{
    const float *values = panel.values;
    for (int32_t group = 0; group < panel.groups; group++, result += ROWS) {
        quads sums[PARTS];
        for (int k = 0; k < PARTS; k++)
            sums[k] = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
        for (int32_t c = 0; c < panel.columns; c++, values += ROWS) {
            const quads at = quads_same(y + c);
            for (int k = 0; k < PARTS; k++)
                sums[k] = quads_add(sums[k], quads_multiply(quads_spread(values + k * QUADS), at));
        }
        for (int k = 0; k < PARTS; k++)
            quads_store(result + k * QUADS, sums[k]);
    }
}

// Four columns at a time: their entries in four rows are a line of the cache.
static void subtract_transposed_times(pli_panel panel, const pli_particle *x, pli_particle *result)
{
    enum { COLUMNS = 4 };
    for (int32_t c = 0; c < panel.columns; c += COLUMNS, result += COLUMNS) {
        quads sums[COLUMNS][PARTS];
        for (int i = 0; i < COLUMNS * PARTS; i++)
            sums[i / PARTS][i % PARTS] = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
        for (int32_t group = 0; group < panel.groups; group++) {
            const float *values = panel.values + ((size_t)group * (size_t)panel.columns + (size_t)c) * ROWS;
            for (int k = 0; k < PARTS; k++) {
                const quads at = quads_load(x + group * ROWS + k * QUADS);
                for (int i = 0; i < COLUMNS; i++)
                    sums[i][k] = quads_add(sums[i][k], quads_multiply(quads_spread(values + i * ROWS + k * QUADS), at));
            }
        }
        for (int i = 0; i < COLUMNS; i++) {
            pli_particle parts[ROWS];
            for (int k = 0; k < PARTS; k++)
                quads_store(parts + k * QUADS, sums[i][k]);
            result[i].x -= (parts[0].x + parts[1].x) + (parts[2].x + parts[3].x);
            result[i].y -= (parts[0].y + parts[1].y) + (parts[2].y + parts[3].y);
            result[i].z -= (parts[0].z + parts[1].z) + (parts[2].z + parts[3].z);
        }
    }
}

const pli_solve_kernels PLI_NAMED(pli_solve) = {times, subtract_transposed_times};
