// Products of panels: base/sparse/panel_kernels.h.
#include "base/sparse/panel_kernels.h"

// The distance of prefetching in floats. It crosses the ends of nodes, where hardware prefetchers stop.
enum { AHEAD = 1024 };
enum { SIDE = PLI_FACTOR_ROWS, PANEL_PARTS = SIDE / QUADS, TOGETHER = PLI_FACTOR_GROUPS };

// Four floats each of x, y and z for every four columns.
typedef struct operand_rows {
    pli_particle *x, *y, *z;
} operand_rows;

static void gather_operands(const pli_particle *vector, const int32_t *places, int32_t columns, operand_rows to)
{
    for (int32_t c = 0; c < columns; c += WIDE) {
        wide x, y, z, w;
        wide_load_particles(vector, places + c, &x, &y, &z, &w);
        wide_store(&to.x->x + c, x);
        wide_store(&to.y->x + c, y);
        wide_store(&to.z->x + c, z);
    }
}

// The rows of part `part` of each tile, for up to TOGETHER consecutive groups; `groups` is a constant where this is inlined.
static inline void times_part(pli_panel panel, const float *values, int32_t groups, int part, operand_rows at,
                              pli_particle *result)
{
    const quads zero = quads_set(0.0f, 0.0f, 0.0f, 0.0f);
    quads x[TOGETHER], y[TOGETHER], z[TOGETHER];
    for (int32_t i = 0; i < groups; i++)
        x[i] = y[i] = z[i] = zero;
    values += part * QUADS * SIDE;
    for (int32_t c = 0; c < panel.columns / SIDE; c++, values += groups * SIDE * SIDE) {
        const quads ax = quads_same(at.x + c), ay = quads_same(at.y + c), az = quads_same(at.z + c);
        for (int32_t i = 0; i < groups; i++) {
            if (part == 0)
                __builtin_prefetch(
                    (const void *)((uintptr_t)values + (size_t)(AHEAD + i * SIDE * SIDE) * sizeof *values));
            const quads tile = quads_load((const pli_particle *)(const void *)(values + i * SIDE * SIDE));
            x[i] = quads_add(x[i], quads_multiply(tile, ax));
            y[i] = quads_add(y[i], quads_multiply(tile, ay));
            z[i] = quads_add(z[i], quads_multiply(tile, az));
        }
    }
    for (int32_t i = 0; i < groups; i++)
        quads_store(result + i * SIDE + part * QUADS, quads_sums(x[i], y[i], z[i]));
}

static inline void times_groups(pli_panel panel, int32_t group, int32_t groups, operand_rows at, pli_particle *result)
{
    for (int part = 0; part < PANEL_PARTS; part++)
        times_part(panel, panel.values + (size_t)group * (size_t)panel.columns * SIDE, groups, part, at,
                   result + group * SIDE);
}

static void multiply_panel(pli_panel panel, const pli_particle *vector, const int32_t *places, pli_particle *operands,
                           pli_particle *result)
{
    const int32_t length = pli_factor_padded(panel.columns, PLI_FACTOR_PLACES) / SIDE;
    const operand_rows at = {operands, operands + length, operands + 2 * length};
    gather_operands(vector, places, panel.columns, at);
    int32_t group = 0;
    for (; group + TOGETHER <= panel.groups; group += TOGETHER)
        times_groups(panel, group, TOGETHER, at, result);
    switch (panel.groups - group) {
    case 1:
        times_groups(panel, group, 1, at, result);
        break;
    case 2:
        times_groups(panel, group, 2, at, result);
        break;
    case 3:
        times_groups(panel, group, 3, at, result);
        break;
    default:
        break;
    }
}

// Compilers vectorise these loops; each entry has its own sum, so its bits do not depend on the width.
static void subtract_four(double *restrict to, const double *const columns[4], const double weights[4], int32_t count)
{
    const double *a = columns[0], *b = columns[1], *c = columns[2], *d = columns[3];
    const double wa = weights[0], wb = weights[1], wc = weights[2], wd = weights[3];
    for (int32_t i = 0; i < count; i++)
        to[i] -= (a[i] * wa + b[i] * wb) + (c[i] * wc + d[i] * wd);
}

static void add_scaled(double *restrict to, const double *column, double weight, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        to[i] += column[i] * weight;
}

const pli_panel_kernels PLI_NAMED(pli_panel_products) = {multiply_panel, subtract_four, add_scaled};
