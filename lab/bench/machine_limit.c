// Grids for the limit kernels: classes of constraints, laid out in runs (machine_limit.h).
#include "bench/machine_limit.h"

#include <stdlib.h>
#include <string.h>

// Rows and columns of a class's points, relative to the particle that names the constraint.
typedef struct limit_class {
    int32_t point_count;
    int32_t rows[4], columns[4];
} limit_class;

// Squares divided by the diagonal from (0, 0) to (1, 1): edges, straight triples, pairs of triangles.
static const limit_class edges[] = {{2, {0, 0}, {0, 1}}, {2, {0, 1}, {0, 0}}, {2, {0, 1}, {0, 1}}};
static const limit_class triples[] = {
    {3, {0, 0, 0}, {-1, 1, 0}}, {3, {-1, 1, 0}, {0, 0, 0}}, {3, {-1, 1, 0}, {-1, 1, 0}}};
static const limit_class hinges[] = {
    {4, {0, 1, 0, 1}, {1, 0, 0, 1}}, {4, {1, -1, 0, 0}, {1, 0, 0, 1}}, {4, {0, 1, 0, 1}, {-1, 1, 0, 0}}};
enum { CLASS_COUNT = 3 };

static const struct {
    const limit_class *classes;
    int32_t residues, rest_count, lambda_count;
    float still[4], rest; // Rest values of lanes without a constraint, and of the others.
} kinds[] = {
    [LIMIT_DISTANCE] = {edges, 2, 1, 1, {-1.0f}, 0.02f},
    [LIMIT_TRIANGLE] = {triples, 3, 1, 1, {-1.0f}, 0.0f},
    [LIMIT_DIHEDRAL] = {hinges, 2, 1, 1, {-8.0f}, 0.05f},
    [LIMIT_ISOMETRIC] = {hinges, 2, 4, 3, {0.0f}, 0.0f},
};

static const float spacing = 0.02f;

static int32_t rounded(int32_t count) { return (count + LIMIT_LANES - 1) / LIMIT_LANES * LIMIT_LANES; }

static int32_t place(const limit_grid *g, int32_t row, int32_t column)
{
    return (row * g->residues + column % g->residues) * g->pitch + column / g->residues;
}

// First and last valid value of a coordinate along which points have these offsets.
static void span(const int32_t *offsets, int32_t count, int32_t size, int32_t *first, int32_t *last)
{
    int32_t least = 0, most = 0;
    for (int32_t k = 0; k < count; k++) {
        least = offsets[k] < least ? offsets[k] : least;
        most = offsets[k] > most ? offsets[k] : most;
    }
    *first = -least;
    *last = size - 1 - most;
}

static float rest_value(limit_kind kind, const limit_class *class, int32_t value)
{
    static const float parallelogram[4] = {1.0f, 1.0f, -1.0f, -1.0f};
    bool diagonal = class->rows[1] != class->rows[0] && class->columns[1] != class->columns[0];
    if (kind == LIMIT_ISOMETRIC)
        return parallelogram[value];
    return kinds[kind].rest * (diagonal ? 1.41421356f : 1.0f);
}

// Adds the constraints of one class and residue in one row; counts them only when there are no runs yet.
static void add_run(const limit_grid *g, limit_part *part, const limit_class *class, int32_t row, int32_t residue)
{
    int32_t first, last, column, count = 0;
    span(class->columns, class->point_count, g->rows, &first, &last);
    for (column = first; column % g->residues != residue; column++)
        ;
    if (column <= last)
        count = (last - column) / g->residues + 1;
    if (count == 0)
        return;
    int32_t slot = part->slot_count;
    limit_run *run = part->runs ? &part->runs[part->run_count] : NULL;
    part->run_count++;
    part->slot_count += rounded(count);
    part->constraint_count += count;
    if (!run)
        return;
    *run = (limit_run){.count = rounded(count), .slot = slot};
    for (int32_t k = 0; k < class->point_count; k++)
        run->points[k] = place(g, row + class->rows[k], column + class->columns[k]);
    for (int32_t j = 0; j < kinds[part->kind].rest_count; j++)
        for (int32_t i = 0; i < run->count; i++)
            part->rest[j][slot + i] = i < count ? rest_value(part->kind, class, j) : kinds[part->kind].still[j];
}

static void add_runs(const limit_grid *g, limit_part *part)
{
    part->run_count = part->slot_count = part->constraint_count = 0;
    for (int32_t row = 0; row < g->rows; row++) {
        if (part->runs)
            part->row_runs[row] = part->run_count;
        for (int32_t c = 0; c < CLASS_COUNT; c++) {
            const limit_class *class = &kinds[part->kind].classes[c];
            int32_t first, last;
            span(class->rows, class->point_count, g->rows, &first, &last);
            for (int32_t residue = 0; residue < g->residues && row >= first && row <= last; residue++)
                add_run(g, part, class, row, residue);
        }
    }
    if (part->runs)
        part->row_runs[g->rows] = part->run_count;
}

static bool reserve(float **array, int64_t count)
{
    size_t bytes = (size_t)rounded((int32_t)count) * sizeof(float);
    *array = aligned_alloc(64, bytes);
    if (*array)
        memset(*array, 0, bytes);
    return *array != NULL;
}

static bool make_part(limit_grid *g, limit_kind kind)
{
    limit_part *part = &g->parts[g->part_count++];
    bool complete = true;
    part->kind = kind;
    add_runs(g, part);
    for (int32_t j = 0; j < kinds[kind].rest_count; j++)
        complete = reserve(&part->rest[j], part->slot_count) && complete;
    for (int32_t j = 0; j < kinds[kind].lambda_count; j++)
        complete = reserve(&part->lambda[j], part->slot_count) && complete;
    part->row_runs = calloc((size_t)g->rows + 1, sizeof *part->row_runs);
    part->runs = calloc((size_t)part->run_count + 1, sizeof *part->runs);
    if (!complete || !part->row_runs || !part->runs)
        return false;
    add_runs(g, part);
    g->bytes_per_sweep += (double)part->slot_count * 4.0 * kinds[kind].rest_count;
    return true;
}

// At rest except for small noise, so that no direction is undefined; fixed at two corners.
static bool make_particles(limit_grid *g)
{
    int64_t floats = (int64_t)g->rows * g->residues * g->pitch;
    float **arrays[] = {&g->x,           &g->y,           &g->z,           &g->w,           &g->velocity[0],
                        &g->velocity[1], &g->velocity[2], &g->previous[0], &g->previous[1], &g->previous[2]};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!reserve(arrays[i], floats))
            return false;
    for (int32_t row = 0; row < g->rows; row++)
        for (int32_t column = 0; column < g->rows; column++) {
            int32_t i = place(g, row, column);
            g->x[i] = spacing * (float)column;
            g->y[i] = 0.02f * spacing * (float)((row * 7 + column * 3) % 5);
            g->z[i] = spacing * (float)row;
            g->w[i] = row == 0 && (column == 0 || column == g->rows - 1) ? 0.0f : 1.0f;
        }
    g->bytes_per_sweep += (double)floats * 28.0; // Read x, y, z, w; written x, y, z.
    g->bytes_per_motion = (double)floats * 24.0; // Velocities read and written; positions are in cache.
    return true;
}

limit_grid *limit_grid_create(int32_t rows, limit_kind first, limit_kind second)
{
    limit_grid *g = calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->rows = rows;
    g->residues = first == LIMIT_TRIANGLE || second == LIMIT_TRIANGLE ? 3 : 2;
    g->pitch = rounded((rows + g->residues - 1) / g->residues) + LIMIT_LANES;
    if (make_particles(g) && make_part(g, first) && (second == LIMIT_NONE || make_part(g, second)))
        return g;
    limit_grid_destroy(g);
    return NULL;
}

void limit_grid_destroy(limit_grid *g)
{
    if (!g)
        return;
    for (int32_t k = 0; k < g->part_count; k++) {
        for (int32_t j = 0; j < 4; j++)
            free(g->parts[k].rest[j]);
        for (int32_t j = 0; j < 3; j++)
            free(g->parts[k].lambda[j]);
        free(g->parts[k].runs);
        free(g->parts[k].row_runs);
    }
    for (int32_t j = 0; j < 3; j++) {
        free(g->velocity[j]);
        free(g->previous[j]);
    }
    free(g->x);
    free(g->y);
    free(g->z);
    free(g->w);
    free(g);
}

extern const limit_kernels limit_kernels_plain, limit_kernels_avx2, limit_kernels_avx512;

const limit_kernels *limit_variant(int32_t i)
{
    const limit_kernels *variants[4] = {NULL};
    int32_t count = 0;
#ifdef LIMIT_HAVE_X86
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
        variants[count++] = &limit_kernels_avx512;
    if (__builtin_cpu_supports("avx2"))
        variants[count++] = &limit_kernels_avx2;
#endif
    variants[count++] = &limit_kernels_plain;
    return i >= 0 && i < count ? variants[i] : NULL;
}
