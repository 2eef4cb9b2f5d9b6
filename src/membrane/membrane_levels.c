// Coarse levels of a membrane's system, and the cycle over them.
//
// A coarse level must be able to turn a curved patch as a rigid body, which costs no energy; where it cannot, its corrections are too
// stiff for what bends and swings. So a node moves by the weighted mean of its parents' displacements, and by their rotation about the
// weighted mean of their places (docs/decisions/0134).
#include "membrane/membrane_levels.h"

#include "model/parallel.h"

#include <math.h>
#include <string.h>

enum { ROW_GRAIN = 512 };

// A pivot that is a smaller fraction of its diagonal is none.
#define LEAST_PIVOT 1e-7
// The share of the trace that is added to the inertia of parents, which may lie on a line.
#define LEAST_INERTIA 0.01

/* ---- how a level follows the next one -------------------------------------------------------------- */

// Places of the parents about their mean, and how far the node is from their weighted mean.
static int32_t place_parents(const pli_membrane_transfer *t, int32_t i, pli_dvec3 places[PLI_PARENTS],
                             pli_dvec3 *offset)
{
    const int32_t *parents = t->parents + PLI_PARENTS * i;
    const float *weights = t->weights + PLI_PARENTS * i;
    pli_dvec3 mean = {0.0, 0.0, 0.0};
    int32_t count = 0;
    *offset = pli_particle_widened(t->points[i]);
    for (; count < PLI_PARENTS && parents[count] >= 0; count++) {
        places[count] = pli_particle_widened(t->points[t->seeds[parents[count]]]);
        mean = pli_dadd(mean, places[count]);
        *offset = pli_dsub(*offset, pli_dscale(places[count], (double)weights[count]));
    }
    for (int32_t k = 0; k < count; k++)
        places[k] = pli_dsub(places[k], pli_dscale(mean, 1.0 / count));
    return count;
}

static void find_follow(const pli_membrane_transfer *t, int32_t i)
{
    pli_dvec3 places[PLI_PARENTS], offset;
    const int32_t count = place_parents(t, i, places, &offset);
    double inertia[6] = {0.0};
    for (int32_t k = 0; k < count; k++)
        pli_add_point_inertia(inertia, 1.0, places[k]);
    const double trace = inertia[0] + inertia[1] + inertia[2];
    for (int32_t k = 0; k < 3; k++)
        inertia[k] += LEAST_INERTIA * trace;
    pli_dvec3 inverse[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (int32_t k = 0; k < 3 && trace > 0.0; k++)
        inverse[k] = pli_solve_symmetric(inertia, (pli_dvec3){k == 0, k == 1, k == 2});
    for (int32_t k = 0; k < count; k++) {
        const double weight = (double)t->weights[PLI_PARENTS * i + k];
        float *block = t->follow[PLI_PARENTS * i + k].at;
        for (int32_t c = 0; c < 3; c++) {
            const pli_dvec3 axis = {c == 0, c == 1, c == 2};
            const pli_dvec3 about = pli_dcross(places[k], axis);
            const pli_dvec3 turn = {pli_ddot(inverse[0], about), pli_ddot(inverse[1], about),
                                    pli_ddot(inverse[2], about)};
            const pli_dvec3 moved = pli_dadd(pli_dscale(axis, weight), pli_dcross(turn, offset));
            block[4 * c] = (float)moved.x, block[4 * c + 1] = (float)moved.y, block[4 * c + 2] = (float)moved.z;
        }
    }
}

static void find_follows(void *data, int32_t begin, int32_t end)
{
    for (int32_t i = begin; i < end; i++)
        find_follow(data, i);
}

/* ---- coarse matrices ------------------------------------------------------------------------------ */

// Rows of A P.
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
                pli_block_add_product(to[targets[PLI_PARENTS * k + p]].at, fine->blocks[k].at, t->follow[other + p].at);
    }
}

// Rows of P^T A P from the diagonal on.
static void sum_rows(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    const pli_membrane_transfer *t = &level->transfer;
    const pli_block_matrix *coarse = &level[1].matrix;
    for (int32_t row = begin; row < end; row++) {
        pli_block *to = coarse->blocks + coarse->offsets[row];
        const int32_t *target = t->targets + t->target_offsets[row];
        memset(to, 0, (size_t)(coarse->offsets[row + 1] - coarse->offsets[row]) * sizeof *to);
        for (int32_t c = t->child_offsets[row]; c < t->child_offsets[row + 1]; c++) {
            const int32_t child = t->children[c] / PLI_PARENTS;
            const pli_block back = pli_block_transposed(t->follow[t->children[c]].at);
            int32_t k = t->product_offsets[child];
            while (t->product_columns[k] < row)
                k++;
            for (; k < t->product_offsets[child + 1]; k++)
                pli_block_add_product(to[*target++].at, back.at, t->products[k].at);
        }
    }
    pli_block_matrix_invert(coarse, begin, end);
}

static void mirror_rows(void *data, int32_t begin, int32_t end) { pli_block_matrix_mirror(data, begin, end); }

// Cholesky's factor of the last matrix, in double. A row without a pivot, of a node whose children are all fixed, is 0.
static void factor_coarsest(pli_membrane *m)
{
    const pli_block_matrix *matrix = &m->levels[m->level_count - 1].matrix;
    const int32_t n = 3 * matrix->count;
    memset(m->factor, 0, (size_t)n * (size_t)n * sizeof *m->factor);
    for (int32_t i = 0; i < matrix->count; i++)
        for (int32_t k = matrix->offsets[i]; k < matrix->offsets[i + 1]; k++)
            for (int32_t e = 0; e < 9; e++)
                m->factor[(3 * i + e % 3) * n + 3 * matrix->columns[k] + e / 3] =
                    (double)matrix->blocks[k].at[4 * (e / 3) + e % 3];
    for (int32_t i = 0; i < n; i++) {
        double *row = m->factor + (size_t)i * (size_t)n, pivot = row[i];
        const double diagonal = row[i];
        for (int32_t j = 0; j < i; j++) {
            const double *other = m->factor + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int32_t k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = other[j] > 0.0 ? sum / other[j] : 0.0;
            pivot -= row[j] * row[j];
        }
        row[i] = pivot > LEAST_PIVOT * diagonal ? sqrt(pivot) : 0.0;
    }
}

void pli_membrane_coarsen(pli_world *world, pli_membrane *m, const pli_particle *positions)
{
    for (int32_t l = 0; l < m->level_count; l++) {
        pli_membrane_level *level = &m->levels[l];
        const int32_t coarse = l + 1 < m->level_count ? level[1].matrix.count : 0;
        pli_parallel(world, level->matrix.count, ROW_GRAIN, mirror_rows, &level->matrix);
        if (coarse == 0)
            break;
        if (l == 0)
            memcpy(level->transfer.points, positions, (size_t)level->matrix.count * sizeof *positions);
        for (int32_t i = 0; i < coarse && l + 2 < m->level_count; i++)
            level[1].transfer.points[i] = level->transfer.points[level->transfer.seeds[i]];
        pli_parallel(world, level->matrix.count, ROW_GRAIN, find_follows, &level->transfer);
        pli_parallel(world, level->matrix.count, ROW_GRAIN, multiply_rows, level);
        pli_parallel(world, coarse, ROW_GRAIN / 8, sum_rows, level);
    }
    if (m->factor)
        factor_coarsest(m);
}

/* ---- the cycle ------------------------------------------------------------------------------------- */

static void restrict_rows(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    const pli_membrane_transfer *t = &level->transfer;
    for (int32_t i = begin; i < end; i++) {
        pli_particle sum = {0.0f, 0.0f, 0.0f, 0.0f};
        for (int32_t c = t->child_offsets[i]; c < t->child_offsets[i + 1]; c++) {
            const int32_t child = t->children[c];
            sum = pli_particle_sum(sum,
                                   pli_block_transposed_times(t->follow[child].at, level->left[child / PLI_PARENTS]));
        }
        level[1].right[i] = sum;
    }
}

static void prolong_rows(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    const pli_membrane_transfer *t = &level->transfer;
    for (int32_t i = begin; i < end; i++) {
        if (t->joins && !t->joins[i])
            continue;
        for (int32_t k = PLI_PARENTS * i; k < PLI_PARENTS * (i + 1) && t->parents[k] >= 0; k++)
            level->solution[i] = pli_particle_sum(level->solution[i],
                                                  pli_block_times(t->follow[k].at, level[1].solution[t->parents[k]]));
    }
}

static void find_left(void *data, int32_t begin, int32_t end)
{
    const pli_membrane_level *level = data;
    for (int32_t i = begin; i < end; i++)
        level->left[i] = pli_block_row_residual(&level->matrix, i, level->right, level->solution);
}

static void sweep_row(const pli_membrane_level *level, int32_t i)
{
    const pli_particle left = pli_block_row_residual(&level->matrix, i, level->right, level->solution);
    level->solution[i] = pli_particle_sum(level->solution[i], pli_block_times(level->matrix.inverse[i].at, left));
}

static void solve_coarsest(const pli_membrane *m, const pli_membrane_level *level)
{
    const int32_t n = 3 * level->matrix.count;
    double *x = m->coarsest;
    for (int32_t i = 0; i < level->matrix.count; i++)
        x[3 * i] = (double)level->right[i].x, x[3 * i + 1] = (double)level->right[i].y,
              x[3 * i + 2] = (double)level->right[i].z;
    for (int32_t i = 0; i < n; i++) {
        const double *row = m->factor + (size_t)i * (size_t)n;
        for (int32_t k = 0; k < i; k++)
            x[i] -= row[k] * x[k];
        x[i] = row[i] > 0.0 ? x[i] / row[i] : 0.0;
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *row = m->factor + (size_t)i * (size_t)n;
        x[i] = row[i] > 0.0 ? x[i] / row[i] : 0.0;
        for (int32_t k = 0; k < i; k++)
            x[k] -= row[k] * x[i];
    }
    for (int32_t i = 0; i < level->matrix.count; i++)
        level->solution[i] = (pli_particle){(float)x[3 * i], (float)x[3 * i + 1], (float)x[3 * i + 2], 0.0f};
}

static void cycle(pli_world *world, pli_membrane *m, int32_t l)
{
    pli_membrane_level *level = &m->levels[l];
    const int32_t count = level->matrix.count;
    if (l + 1 == m->level_count && m->factor) {
        solve_coarsest(m, level);
        return;
    }
    memset(level->solution, 0, (size_t)count * sizeof *level->solution);
    for (int32_t i = 0; i < count; i++)
        sweep_row(level, i);
    if (l + 1 < m->level_count) {
        pli_parallel(world, count, ROW_GRAIN, find_left, level);
        pli_parallel(world, level[1].matrix.count, ROW_GRAIN, restrict_rows, level);
        cycle(world, m, l + 1);
        pli_parallel(world, count, ROW_GRAIN, prolong_rows, level);
    }
    for (int32_t i = count - 1; i >= 0; i--)
        sweep_row(level, i);
}

void pli_membrane_cycle(pli_world *world, pli_membrane *m)
{
    if (m->level_count == 1) {
        cycle(world, m, 0);
        return;
    }
    pli_parallel(world, m->levels[1].matrix.count, ROW_GRAIN / 8, restrict_rows, &m->levels[0]);
    cycle(world, m, 1);
    pli_parallel(world, m->count, ROW_GRAIN, prolong_rows, &m->levels[0]);
}
