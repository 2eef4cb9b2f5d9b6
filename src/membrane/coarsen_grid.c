// Coarsening of a grid: every fourth row and column makes a coarser grid, and displacements are prolonged by linear
// interpolation along rows and columns. If the last row or column is no fourth one, it is kept as well, so that borders
// stay borders.
//
//   *---+---+---+---*---+---*      *  kept; + interpolates between the kept columns on both sides,
//   |               |       |         by mean distances between columns at rest. Rows likewise.
//
// In a sheet that cannot stretch, no two nodes get further apart than they are at rest, diagonally as well as along
// rows. A mesh of quads shears, so there only neighbours along rows and columns form pairs.
#include "base/vector.h"
#include "membrane/coarsen.h"

#include <stdlib.h>

// Distance of each row (side 0) or column (side 1) from the one before it, summed over all nodes.
static void measure_gaps(const pli_graph *g, int32_t side, double *gaps)
{
    int32_t columns = g->sides[1], back = side == 0 ? columns : 1;
    for (int32_t i = 0; i < g->count; i++) {
        int32_t line = side == 0 ? i / columns : i % columns;
        if (line > 0)
            gaps[line] += pli_dlength(pli_dsub(pli_dmake(g->positions[i]), pli_dmake(g->positions[i - back])));
    }
}

static float *make_shares(pli_memory *memory, const pli_graph *g, int32_t side)
{
    int32_t count = g->sides[side];
    double *gaps = PLI_ALLOCATE(memory, double, count);
    float *shares = PLI_ALLOCATE(memory, float, count);
    if (gaps && shares)
        measure_gaps(g, side, gaps);
    for (int32_t begin = 0; gaps && shares && begin < count; begin += PLI_STRIDE) {
        int32_t end = begin + PLI_STRIDE < count - 1 ? begin + PLI_STRIDE : count - 1;
        double whole = 0.0, part = 0.0;
        for (int32_t i = begin + 1; i <= end; i++)
            whole += gaps[i];
        for (int32_t i = begin + 1; i <= end && i < begin + PLI_STRIDE; i++) {
            part += gaps[i];
            shares[i] = i == count - 1 ? 1.0f
                        : whole > 0.0  ? (float)(part / whole)
                                       : (float)(i - begin) / (float)(end - begin);
        }
    }
    pli_release(memory, gaps);
    if (gaps)
        return shares;
    pli_release(memory, shares);
    return NULL;
}

static int32_t line_of(int32_t coarse, int32_t count)
{
    return coarse * PLI_STRIDE < count - 1 ? coarse * PLI_STRIDE : count - 1;
}

static bool has_diagonals(const pli_graph *g)
{
    for (int32_t i = 0; i < g->pair_count; i++) {
        int32_t apart = abs(g->pairs[2 * i] - g->pairs[2 * i + 1]);
        if (apart != 1 && apart != g->sides[1])
            return true;
    }
    return false;
}

static void add_pair(pli_coarse *c, int32_t a, int32_t b)
{
    c->pairs[2 * c->pair_count] = a, c->pairs[2 * c->pair_count + 1] = b;
    c->pair_count++;
}

static void add_pairs(pli_coarse *c, bool across)
{
    int32_t rows = c->sides[0], columns = c->sides[1];
    for (int32_t i = 0; i < rows; i++)
        for (int32_t j = 0; j < columns; j++) {
            int32_t at = i * columns + j;
            bool right = j + 1 < columns, below = i + 1 < rows;
            if (right)
                add_pair(c, at, at + 1);
            if (across && below && j > 0)
                add_pair(c, at, at + columns - 1);
            if (below)
                add_pair(c, at, at + columns);
            if (across && below && right)
                add_pair(c, at, at + columns + 1);
        }
}

int32_t pli_coarse_grid_parents(int32_t row, int32_t column, int32_t columns, float down, float right,
                                int32_t parents[PLI_PARENTS], float weights[PLI_PARENTS])
{
    int32_t first = row / PLI_STRIDE * columns + column / PLI_STRIDE, count = 0;
    for (int32_t k = 0; k < PLI_PARENTS; k++) {
        float weight = (k & 2 ? down : 1.0f - down) * (k & 1 ? right : 1.0f - right);
        if (!(weight > 0.0f))
            continue;
        parents[count] = first + (k & 2 ? columns : 0) + (k & 1);
        weights[count++] = weight;
    }
    return count;
}

bool pli_coarsen_grid(pli_memory *memory, const pli_graph *g, pli_coarse *c)
{
    *c = (pli_coarse){0};
    for (int32_t side = 0; side < 2; side++) {
        c->sides[side] = (g->sides[side] + PLI_STRIDE - 2) / PLI_STRIDE + 1;
        c->shares[side] = make_shares(memory, g, side);
    }
    c->count = c->sides[0] * c->sides[1];
    c->seeds = PLI_ALLOCATE(memory, int32_t, c->count);
    c->pairs = PLI_ALLOCATE(memory, int32_t, 8 * (int64_t)c->count);
    if (!c->shares[0] || !c->shares[1] || !c->seeds || !c->pairs) {
        pli_coarse_release(memory, c);
        return false;
    }
    for (int32_t i = 0; i < c->count; i++)
        c->seeds[i] = line_of(i / c->sides[1], g->sides[0]) * g->sides[1] + line_of(i % c->sides[1], g->sides[1]);
    add_pairs(c, has_diagonals(g));
    return true;
}
