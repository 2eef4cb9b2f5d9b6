// Coarse levels of a membrane's system, and the cycle over them.
//
// A coarse level must be able to rotate a curved patch of the mesh as a rigid body, which costs no energy. Otherwise its corrections would
// be too stiff for bending and swinging motion. Therefore a node moves by the weighted mean of its parents' displacements, and by their
// rotation about the weighted mean of their positions (docs/decisions/stretch.md).
#include "stretch/membrane_levels.h"

#include "model/parallel.h"

#include <math.h>
#include <string.h>

enum { ROW_GRAIN = 512, LEVEL_BATCH_GRAIN = 8 };

// A pivot below this fraction of its diagonal counts as 0.
#define LEAST_PIVOT 1e-7

/* ---- coarse matrices ------------------------------------------------------------------------------ */

// Rows of A P, as transposed blocks: P^T A^T.
static void multiply_rows(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    const pli_membrane_transfer *t = &level->transfer;
    const pli_block_matrix *fine = &level->matrix;
    const int32_t *targets = t->product_targets;
    for (int32_t row = begin; row < end; row++) {
        pli_block *to = t->products + t->product_offsets[row];
        memset(to, 0, (size_t)(t->product_offsets[row + 1] - t->product_offsets[row]) * sizeof *to);
        for (int32_t k = fine->offsets[row]; k < fine->offsets[row + 1]; k++)
            for (int32_t p = 0, other = PLI_PARENTS * fine->columns[k]; p < PLI_PARENTS && t->parents[other + p] >= 0;
                 p++)
                pli_block_add_product(to[targets[PLI_PARENTS * k + p]].at, t->follow[other + p].at, fine->blocks[k].at);
    }
}

// Rows of P^T A P from the diagonal on.
static void sum_rows(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    const pli_membrane_transfer *t = &level->transfer;
    const pli_block_matrix *coarse = &level[1].matrix;
    for (int32_t row = begin; row < end; row++)
        for (int32_t k = coarse->diagonal[row]; k < coarse->offsets[row + 1]; k++) {
            pli_block sum = {{0.0f}};
            for (int64_t s = t->term_offsets[k]; s < t->term_offsets[k + 1]; s++)
                pli_block_add_product(sum.at, t->follow[t->terms[2 * s]].at, t->products[t->terms[2 * s + 1]].at);
            coarse->blocks[k] = sum;
        }
    pli_block_matrix_invert(coarse, begin, end);
}

static void mirror_rows(void *data, int32_t begin, int32_t end) { pli_block_matrix_mirror(data, begin, end); }

// The sum of a b in four partial sums, since additions to a single sum would have to wait for each other.
static double level_dot(const double *a, const double *b, int32_t count)
{
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    int32_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (int32_t s = 0; s < 4; s++)
            sums[s] += a[k + s] * b[k + s];
    for (; k < count; k++)
        sums[0] += a[k] * b[k];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

// Cholesky's factor of the last matrix, in double. The row of a node whose children are all fixed has no pivot and is 0.
static void factor_coarsest(pli_membrane *m)
{
    const pli_block_matrix *matrix = &m->hierarchy.levels[m->hierarchy.level_count - 1].matrix;
    const int32_t n = 3 * matrix->count;
    memset(m->hierarchy.factor, 0, (size_t)n * (size_t)n * sizeof *m->hierarchy.factor);
    for (int32_t i = 0; i < matrix->count; i++)
        for (int32_t k = matrix->offsets[i]; k < matrix->offsets[i + 1]; k++)
            for (int32_t e = 0; e < 9; e++)
                m->hierarchy.factor[(3 * i + e % 3) * n + 3 * matrix->columns[k] + e / 3] =
                    (double)matrix->blocks[k].at[4 * (e / 3) + e % 3];
    for (int32_t i = 0; i < n; i++) {
        double *row = m->hierarchy.factor + (size_t)i * (size_t)n, pivot = row[i];
        const double diagonal = row[i];
        for (int32_t j = 0; j < i; j++) {
            const double *other = m->hierarchy.factor + (size_t)j * (size_t)n;
            row[j] = other[j] > 0.0 ? (row[j] - level_dot(row, other, j)) / other[j] : 0.0;
            pivot -= row[j] * row[j];
        }
        row[i] = pivot > LEAST_PIVOT * diagonal ? sqrt(pivot) : 0.0;
    }
}

static void run_rows(pli_world *world, pli_block_rows *rows, pli_membrane_pass pass)
{
    pli_parallel(world, pli_piece_count(rows->count, PLI_BATCH), LEVEL_BATCH_GRAIN, pass, rows);
}

void pli_membrane_coarsen(pli_world *world, pli_membrane *m, const pli_particle *positions)
{
    for (int32_t l = 0; l < m->hierarchy.level_count; l++) {
        pli_membrane_level *level = &m->hierarchy.levels[l];
        const int32_t coarse = l + 1 < m->hierarchy.level_count ? level[1].matrix.count : 0;
        pli_parallel(world, level->matrix.count, ROW_GRAIN, mirror_rows, &level->matrix);
        if (coarse == 0)
            break;
        if (l == 0)
            memcpy(level->points, positions, (size_t)level->matrix.count * sizeof *positions);
        for (int32_t i = 0; i < coarse; i++)
            level[1].points[i] = level->points[level->transfer.seeds[i]];
        const pli_membrane_transfer *t = &level->transfer;
        pli_follow follow = {&t->prolongation, t->weights, level->points, level[1].points, t->follow};
        pli_parallel(world, pli_piece_count(level->matrix.count, PLI_BATCH), LEVEL_BATCH_GRAIN,
                     world->kernels->membrane->follow, &follow);
        run_rows(world, &level->transfer.restriction, world->kernels->membrane->pack);
        pli_parallel(world, level->matrix.count, ROW_GRAIN, multiply_rows, level);
        pli_parallel(world, coarse, ROW_GRAIN / 8, sum_rows, level);
    }
    if (m->hierarchy.factor)
        factor_coarsest(m);
}

/* ---- the cycle ------------------------------------------------------------------------------------- */

static void restrict_left(pli_world *world, pli_membrane_level *level)
{
    pli_block_rows *rows = &level->transfer.restriction;
    memset(level[1].right, 0, (size_t)rows->count * sizeof *level->right);
    rows->x = level->left, rows->y = level[1].right;
    run_rows(world, rows, world->kernels->membrane->add_products);
}

static void prolong_solution(pli_world *world, pli_membrane_level *level)
{
    pli_block_rows *rows = &level->transfer.prolongation;
    rows->x = level[1].solution, rows->y = level->solution;
    run_rows(world, rows, world->kernels->membrane->add_products);
}

// After that sweep, only the blocks above the diagonal contribute to the residual of a row.
static void level_find_left(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    const pli_block_matrix *matrix = &level->matrix;
    const pli_particle none = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int32_t i = begin; i < end; i++)
        level->left[i] = pli_block_row_left(matrix, matrix->diagonal[i] + 1, matrix->offsets[i + 1], none,
                                            level->solution);
}

static void sweep_backwards(const pli_membrane_level *level)
{
    const pli_block_matrix *matrix = &level->matrix;
    for (int32_t i = matrix->count - 1; i >= 0; i--) {
        const pli_particle left = pli_block_row_left(matrix, matrix->offsets[i], matrix->offsets[i + 1],
                                                     level->right[i], level->solution);
        level->solution[i] = pli_particle_sum(level->solution[i], pli_block_times(matrix->inverse[i].at, left));
    }
}

static void solve_coarsest(const pli_membrane *m, const pli_membrane_level *level)
{
    const int32_t n = 3 * level->matrix.count;
    double *x = m->hierarchy.coarsest;
    for (int32_t i = 0; i < level->matrix.count; i++)
        x[3 * i] = (double)level->right[i].x, x[3 * i + 1] = (double)level->right[i].y,
              x[3 * i + 2] = (double)level->right[i].z;
    for (int32_t i = 0; i < n; i++) {
        const double *row = m->hierarchy.factor + (size_t)i * (size_t)n;
        x[i] = row[i] > 0.0 ? (x[i] - level_dot(row, x, i)) / row[i] : 0.0;
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *row = m->hierarchy.factor + (size_t)i * (size_t)n;
        x[i] = row[i] > 0.0 ? x[i] / row[i] : 0.0;
        for (int32_t k = 0; k < i; k++)
            x[k] -= row[k] * x[i];
    }
    for (int32_t i = 0; i < level->matrix.count; i++)
        level->solution[i] = (pli_particle){(float)x[3 * i], (float)x[3 * i + 1], (float)x[3 * i + 2], 0.0f};
}

static void cycle(pli_world *world, pli_membrane *m, int32_t l)
{
    pli_membrane_level *level = &m->hierarchy.levels[l];
    const int32_t count = level->matrix.count;
    if (l + 1 == m->hierarchy.level_count && m->hierarchy.factor) {
        solve_coarsest(m, level);
        return;
    }
    // A forward sweep that starts from a solution of 0, so it does not read the blocks above the diagonal.
    const pli_block_matrix *matrix = &level->matrix;
    for (int32_t i = 0; i < matrix->count; i++) {
        const pli_particle left = pli_block_row_left(matrix, matrix->offsets[i], matrix->diagonal[i], level->right[i],
                                                     level->solution);
        level->solution[i] = pli_block_times(matrix->inverse[i].at, left);
    }
    if (l + 1 < m->hierarchy.level_count) {
        pli_parallel(world, count, ROW_GRAIN, level_find_left, level);
        restrict_left(world, level);
        cycle(world, m, l + 1);
        prolong_solution(world, level);
    }
    sweep_backwards(level);
}

void pli_membrane_cycle(pli_world *world, pli_membrane *m)
{
    if (m->hierarchy.level_count == 1) {
        cycle(world, m, 0);
        return;
    }
    restrict_left(world, &m->hierarchy.levels[0]);
    cycle(world, m, 1);
    prolong_solution(world, &m->hierarchy.levels[0]);
}
