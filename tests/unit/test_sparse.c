// Sparse factorisation and its solve, against dense Gaussian elimination in double, on graphs of grids and on random ones; the same bits
// from all back ends and numbers of threads.
#include "../inside.h"
#include "../properties/property.h"

#include "base/sparse/solve.h"

#include <stdlib.h>
#include <string.h>

typedef struct equations {
    int32_t count;
    pli_symmetric_matrix matrix;
    double *points;
} equations;

// Springs between random near neighbours, or along a grid with its diagonals, on masses: positive definite by construction.
static equations make_system(pli_memory *memory, int32_t side, bool scattered)
{
    equations p = {.count = side * side};
    p.points = PLI_ALLOCATE(memory, double, 3 * p.count);
    double *diagonal = PLI_ALLOCATE(memory, double, p.count);
    int32_t *unknowns = PLI_ALLOCATE(memory, int32_t, 8 * p.count);
    double *values = PLI_ALLOCATE(memory, double, 16 * p.count);
    pli_elements elements = {0, 2, unknowns, values, NULL};
    for (int32_t i = 0; i < p.count; i++) {
        p.points[3 * i] = i % side, p.points[3 * i + 1] = i / side;
        diagonal[i] = 0.01 + uniform(0.0, 1.0);
        for (int32_t k = 0; k < 4; k++) {
            int32_t dx = k == 1 || k == 3, dy = k > 1, j = i + dx + dy * side;
            if (scattered && k == 0)
                j = below(p.count);
            if (j == i || j >= p.count || (i % side == side - 1 && dx))
                continue;
            const double w = uniform(0.1, 100.0);
            unknowns[2 * elements.count] = i, unknowns[2 * elements.count + 1] = j;
            memcpy(values + 4 * elements.count++, (const double[4]){w, -w, -w, w}, 4 * sizeof *values);
        }
    }
    assert_true(pli_symmetric_matrix_assemble(memory, p.count, &elements, diagonal, &p.matrix));
    pli_release(memory, diagonal);
    pli_release(memory, unknowns);
    pli_release(memory, values);
    return p;
}

static void free_system(pli_memory *memory, equations *p)
{
    pli_symmetric_matrix_free(memory, &p->matrix);
    pli_release(memory, p->points);
}

// Gaussian elimination of the dense matrix.
static void solve_dense(const equations *p, double *x)
{
    const int32_t n = p->count;
    double *a = calloc((size_t)n * (size_t)n, sizeof *a);
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = p->matrix.offsets[i]; k < p->matrix.offsets[i + 1]; k++)
            a[i * n + p->matrix.columns[k]] = p->matrix.values[k];
    for (int32_t k = 0; k < n; k++)
        for (int32_t i = k + 1; i < n; i++) {
            const double share = a[i * n + k] / a[k * n + k];
            for (int32_t j = k; share != 0.0 && j < n; j++)
                a[i * n + j] -= share * a[k * n + j];
            for (int32_t j = 0; j < 3; j++)
                x[3 * i + j] -= share * x[3 * k + j];
        }
    for (int32_t i = n - 1; i >= 0; i--)
        for (int32_t j = 0; j < 3; j++) {
            for (int32_t k = i + 1; k < n; k++)
                x[3 * i + j] -= a[i * n + k] * x[3 * k + j];
            x[3 * i + j] /= a[i * n + i];
        }
    free(a);
}

static void fill(pli_particle *vector, double *exact, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        vector[i] = (pli_particle){(float)uniform(-1, 1), (float)uniform(-1, 1), (float)uniform(-1, 1), 0.0f};
        exact[3 * i] = (double)vector[i].x, exact[3 * i + 1] = (double)vector[i].y,
                  exact[3 * i + 2] = (double)vector[i].z;
    }
}

static double largest_difference(const pli_particle *vector, const double *exact, int32_t count)
{
    double most = 0.0, size = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const double at[3] = {(double)vector[i].x, (double)vector[i].y, (double)vector[i].z};
        for (int32_t k = 0; k < 3; k++) {
            most = fmax(most, fabs(at[k] - exact[3 * i + k]));
            size = fmax(size, fabs(exact[3 * i + k]));
        }
    }
    return most / size;
}

// Solves for right-hand sides in the order of the unknowns.
static void solve(const pli_factor *factor, pli_simd simd, pli_tasks *tasks, pli_solve_scratch *scratch,
                  pli_particle *vector)
{
    const pli_dissection *d = &factor->dissection;
    for (int32_t i = 0; i < d->count; i++)
        scratch->vector[d->places[i]] = vector[i];
    pli_solve(factor, inside_kernels(simd)->panels, tasks, scratch, NULL, NULL);
    for (int32_t i = 0; i < d->count; i++)
        vector[i] = scratch->vector[d->places[i]];
}

static void check_against_dense(int32_t side, bool scattered)
{
    pli_memory memory = pli_memory_make(NULL);
    equations p = make_system(&memory, side, scattered);
    pli_factor factor;
    pli_solve_scratch scratch;
    assert_int_equal(
        pli_factor_make(&memory, inside_kernels(PLI_SIMD_AUTO)->panels, NULL, &p.matrix, p.points, &factor),
        PLI_FACTOR_OK);
    assert_true(pli_solve_scratch_make(&memory, &factor, &scratch));
    pli_particle *vector = calloc((size_t)p.count, sizeof *vector);
    double *exact = calloc((size_t)p.count * 3, sizeof *exact);
    fill(vector, exact, p.count);
    solve_dense(&p, exact);
    solve(&factor, PLI_SIMD_SCALAR, NULL, &scratch, vector);
    const double difference = largest_difference(vector, exact, p.count);
    near(difference, 0.0, 2e-6, "%d unknowns, difference from dense elimination", p.count);
    free(vector);
    free(exact);
    pli_solve_scratch_free(&memory, &scratch);
    pli_factor_free(&memory, &factor);
    free_system(&memory, &p);
    assert_int_equal(memory.bytes, 0);
}

static void test_solves_as_dense_elimination_does(void **state)
{
    (void)state;
    const int32_t sides[] = {1, 2, 3, 5, 8, 17, 31};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        check_against_dense(sides[i], false);
        check_against_dense(sides[i], true);
    }
}

/* ---- borders ------------------------------------------------------------------------------------- */

// Which unknowns the factor has: those of the first are left out, and of the second, that it has, are held by the border.
typedef enum role { FREE, JOINS, HELD } role;

static void submatrix(pli_memory *memory, const equations *all, const role *roles, role without, equations *some,
                      int32_t *numbers)
{
    *some = (equations){0};
    for (int32_t i = 0; i < all->count; i++)
        numbers[i] = roles[i] == without ? -1 : some->count++;
    some->points = PLI_ALLOCATE(memory, double, 3 * some->count);
    some->matrix.offsets = PLI_ALLOCATE(memory, int32_t, some->count + 1);
    some->matrix.columns = PLI_ALLOCATE(memory, int32_t, all->matrix.offsets[all->count]);
    some->matrix.values = PLI_ALLOCATE(memory, double, all->matrix.offsets[all->count]);
    some->matrix.count = some->count;
    int32_t at = 0;
    for (int32_t i = 0; i < all->count; i++) {
        if (numbers[i] < 0)
            continue;
        memcpy(some->points + 3 * numbers[i], all->points + 3 * i, 3 * sizeof(double));
        for (int32_t k = all->matrix.offsets[i]; k < all->matrix.offsets[i + 1]; k++)
            if (numbers[all->matrix.columns[k]] >= 0) {
                some->matrix.columns[at] = numbers[all->matrix.columns[k]];
                some->matrix.values[at++] = all->matrix.values[k];
            }
        some->matrix.offsets[numbers[i] + 1] = at;
    }
}

typedef struct given_border {
    int32_t count, offsets[PLI_BORDER_MOST + 1], places[4096], unknowns[PLI_BORDER_MOST];
    double values[4096], corner[PLI_BORDER_MOST * PLI_BORDER_MOST];
} given_border;

static void give_border(const equations *all, const role *roles, const int32_t *numbers, const pli_factor *factor,
                        given_border *g)
{
    memset(g, 0, sizeof *g);
    for (int32_t i = 0; i < all->count; i++)
        if (roles[i] != FREE)
            g->unknowns[g->count++] = i;
    int32_t at = 0;
    for (int32_t c = 0; c < g->count; c++) {
        const int32_t i = g->unknowns[c];
        if (roles[i] == HELD)
            g->places[at] = factor->dissection.places[numbers[i]], g->values[at++] = 1.0;
        for (int32_t k = all->matrix.offsets[i]; k < all->matrix.offsets[i + 1] && roles[i] == JOINS; k++) {
            const int32_t j = all->matrix.columns[k];
            if (numbers[j] >= 0)
                g->places[at] = factor->dissection.places[numbers[j]], g->values[at++] = all->matrix.values[k];
            for (int32_t d = 0; d < g->count && numbers[j] < 0; d++)
                if (g->unknowns[d] == j)
                    g->corner[c * g->count + d] = all->matrix.values[k];
        }
        g->offsets[c + 1] = at;
    }
}

// With some unknowns held that the factor has, and others joining that it has not, a solve is that of a factor made so.
static void check_border(int32_t side, int32_t joining, int32_t held)
{
    pli_memory memory = pli_memory_make(NULL);
    equations all = make_system(&memory, side, false), base, wanted;
    role *roles = calloc((size_t)all.count, sizeof *roles);
    int32_t *numbers = calloc((size_t)all.count, sizeof *numbers), *of = calloc((size_t)all.count, sizeof *of);
    for (int32_t k = 0; k < joining + held; k++) {
        int32_t at = below(all.count); // Neighbours among them are likely.
        while (roles[at] != FREE)
            at = (at + 1) % all.count;
        roles[at] = k < joining ? JOINS : HELD;
    }
    submatrix(&memory, &all, roles, HELD, &wanted, of);
    submatrix(&memory, &all, roles, JOINS, &base, numbers);
    pli_factor factor;
    pli_solve_scratch scratch;
    assert_int_equal(
        pli_factor_make(&memory, inside_kernels(PLI_SIMD_AUTO)->panels, NULL, &base.matrix, base.points, &factor),
        PLI_FACTOR_OK);
    assert_true(pli_solve_scratch_make(&memory, &factor, &scratch));
    given_border *g = malloc(sizeof *g);
    give_border(&all, roles, numbers, &factor, g);
    const pli_border_columns columns = {g->count, g->offsets, g->places, g->values, g->corner};
    pli_border border;
    const pli_panel_kernels *kernels = inside_kernels(PLI_SIMD_AUTO)->panels;
    for (int32_t i = 0; i < all.count; i++) // What is left of an earlier solve is not to be seen.
        scratch.vector[i < base.count ? i : 0] = (pli_particle){NAN, NAN, NAN, 0.0f};
    assert_int_equal(pli_border_make(&memory, &factor, kernels, &columns, scratch.vector, scratch.panels, &border),
                     PLI_FACTOR_OK);
    pli_particle *vector = calloc((size_t)wanted.count, sizeof *vector), corner[PLI_BORDER_MOST] = {{0}};
    double *exact = calloc((size_t)wanted.count * 3, sizeof *exact);
    fill(vector, exact, wanted.count);
    solve_dense(&wanted, exact);
    for (int32_t i = 0; i < all.count; i++)
        if (numbers[i] >= 0)
            scratch.vector[factor.dissection.places[numbers[i]]] = of[i] < 0 ? (pli_particle){0} : vector[of[i]];
    for (int32_t c = 0; c < g->count; c++)
        corner[c] = roles[g->unknowns[c]] == JOINS ? vector[of[g->unknowns[c]]] : (pli_particle){0};
    pli_solve(&factor, kernels, NULL, &scratch, &border, corner);
    for (int32_t i = 0; i < all.count; i++)
        if (of[i] >= 0 && numbers[i] >= 0)
            vector[of[i]] = scratch.vector[factor.dissection.places[numbers[i]]];
    for (int32_t c = 0; c < g->count; c++)
        if (roles[g->unknowns[c]] == JOINS)
            vector[of[g->unknowns[c]]] = corner[c];
    near(largest_difference(vector, exact, wanted.count), 0.0, 1e-5, "%d unknowns, %d join, %d are held", all.count,
         joining, held);
    free(vector), free(exact), free(g), free(roles), free(numbers), free(of);
    pli_border_free(&memory, &border);
    pli_solve_scratch_free(&memory, &scratch);
    pli_factor_free(&memory, &factor);
    free_system(&memory, &all), free_system(&memory, &base), free_system(&memory, &wanted);
    assert_int_equal(memory.bytes, 0);
}

static void test_borders_hold_and_join_unknowns(void **state)
{
    (void)state;
    const int32_t cases[][3] = {{8, 1, 0}, {8, 0, 1}, {17, 2, 3}, {31, 5, 0}, {31, 0, 8}, {25, 60, 60}, {3, 4, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check_border(cases[i][0], cases[i][1], cases[i][2]);
}

static void test_back_ends_and_threads_agree(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    equations p = make_system(&memory, 80, false);
    pli_factor factor;
    pli_solve_scratch scratch;
    assert_int_equal(
        pli_factor_make(&memory, inside_kernels(PLI_SIMD_SCALAR)->panels, NULL, &p.matrix, p.points, &factor),
        PLI_FACTOR_OK);
    assert_true(factor.dissection.subtree_count > 1);
    assert_true(pli_solve_scratch_make(&memory, &factor, &scratch));
    const size_t size = (size_t)p.count * sizeof(pli_particle);
    pli_particle *from = malloc(size), *first = malloc(size), *other = malloc(size);
    double *exact = calloc((size_t)p.count * 3, sizeof *exact);
    fill(from, exact, p.count);
    memcpy(first, from, size);
    solve(&factor, PLI_SIMD_SCALAR, NULL, &scratch, first);
    for (int32_t threads = 1; threads <= 3; threads++) {
        pli_tasks *tasks = pli_tasks_create(&memory, threads, &(pli_task_hooks){0});
        for (pli_simd simd = PLI_SIMD_SCALAR; simd < PLI_SIMD_COUNT; simd++) {
            if (!pli_simd_available(simd))
                continue;
            memcpy(other, from, size);
            solve(&factor, simd, tasks, &scratch, other);
            assert_memory_equal(first, other, size);
            pli_factor same;
            assert_int_equal(pli_factor_make(&memory, inside_kernels(simd)->panels, tasks, &p.matrix, p.points, &same),
                             PLI_FACTOR_OK);
            assert_int_equal(same.value_total, factor.value_total);
            assert_memory_equal(same.values, factor.values, (size_t)factor.value_total * sizeof *factor.values);
            pli_factor_free(&memory, &same);
        }
        pli_tasks_destroy(&memory, tasks);
    }
    free(from), free(first), free(other), free(exact);
    pli_solve_scratch_free(&memory, &scratch);
    pli_factor_free(&memory, &factor);
    free_system(&memory, &p);
}

// The separator of a grid is a whole column or row and nothing else, also where the middle item lies within one, and where the points of a
// column differ by rounding.
static void test_grids_are_cut_between_columns(void **state)
{
    (void)state;
    enum { SIDE = 81 };
    pli_memory memory = pli_memory_make(NULL);
    equations p = make_system(&memory, SIDE, false);
    for (int32_t i = 0; i < 3 * p.count; i++)
        p.points[i] += uniform(-1e-6, 1e-6);
    pli_dissection d;
    assert_true(pli_dissection_make(&memory, &p.matrix, p.points, &d));
    const pli_dissection_node root = d.nodes[d.node_count - 1];
    assert_int_equal(root.count, SIDE);
    double spread[2] = {0.0, 0.0};
    for (int32_t axis = 0; axis < 2; axis++)
        for (int32_t k = 0; k < root.count; k++)
            spread[axis] = fmax(spread[axis], fabs(p.points[3 * d.order[root.first + k] + axis] -
                                                   p.points[3 * d.order[root.first] + axis]));
    near(fmin(spread[0], spread[1]), 0.0, 4e-6, "width of the separator");
    pli_dissection_free(&memory, &d);
    free_system(&memory, &p);
    assert_int_equal(memory.bytes, 0);
}

static void test_refuses_what_is_not_positive_definite(void **state)
{
    (void)state;
    pli_memory memory = pli_memory_make(NULL);
    equations p = make_system(&memory, 6, false);
    p.matrix.values[p.matrix.offsets[20]] = 0.0;
    for (int32_t k = p.matrix.offsets[20]; k < p.matrix.offsets[21]; k++)
        if (p.matrix.columns[k] == 20)
            p.matrix.values[k] = -1.0;
    pli_factor factor;
    assert_int_equal(
        pli_factor_make(&memory, inside_kernels(PLI_SIMD_AUTO)->panels, NULL, &p.matrix, p.points, &factor),
        PLI_FACTOR_NOT_POSITIVE);
    free_system(&memory, &p);
    assert_int_equal(memory.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        property(test_solves_as_dense_elimination_does),      property(test_borders_hold_and_join_unknowns),
        property(test_back_ends_and_threads_agree),           property(test_grids_are_cut_between_columns),
        property(test_refuses_what_is_not_positive_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
