// Delaunay triangulations of a jittered grid, by edge flips (Lawson, Software for C1 surface interpolation, 1977),
// and of points on a sphere, whose convex hull it is (Brown, Voronoi diagrams from convex hulls, 1979).
//
// A half-edge h runs from origin[h] to origin[next(h)] in triangle h / 3; twin[h] is the one beside it, or -1.
//
//      p               p
//     / \             /|\       The edge a-b is flipped to p-q when the angles at p and q, the two corners that it
//    a---b   becomes a | b      does not touch, sum to more than half a turn: q then lies within the circle through
//     \ /             \|/       a, b and p.
//      q               q
#include "bench/scenarios/irregular_mesh.h"

#include <math.h>
#include <stdlib.h>

typedef struct triangulation {
    int32_t side, point_count, edge_count;
    double (*points)[2];
    int32_t *origin, *twin;
} triangulation;

static const double pi = 3.14159265358979323846;

// A random number from 0 to 1, with the same sequence in every run.
static double next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) * 0x1p-53;
}

static int32_t next_of(int32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }
static int32_t previous_of(int32_t edge) { return edge % 3 == 0 ? edge + 2 : edge - 1; }

// A random permutation of 0..count-1. Null without memory.
static int32_t *shuffled_numbers(int32_t count, uint64_t seed)
{
    int32_t *numbers = malloc((size_t)count * sizeof *numbers);
    for (int32_t i = 0; numbers && i < count; i++) {
        int32_t other = (int32_t)(next_random(&seed) * (double)(i + 1));
        numbers[i] = numbers[other];
        numbers[other] = i;
    }
    return numbers;
}

/* ---- the sheet ---------------------------------------------------------------------------------- */

static void scatter(triangulation *t, double jitter)
{
    uint64_t seed = 11;
    for (int32_t row = 0; row < t->side; row++)
        for (int32_t column = 0; column < t->side; column++) {
            double aside = jitter * (2.0 * next_random(&seed) - 1.0), along = jitter * (2.0 * next_random(&seed) - 1.0);
            bool on_side = column == 0 || column == t->side - 1, on_end = row == 0 || row == t->side - 1;
            double *point = t->points[row * t->side + column];
            point[0] = column + (on_side ? 0.0 : aside);
            point[1] = row + (on_end ? 0.0 : along);
        }
}

// Twice the signed area, positive where the face looks along +y: z runs from x's right to its left.
static double area(const triangulation *t, int32_t a, int32_t b, int32_t c)
{
    const double *p = t->points[a], *q = t->points[b], *r = t->points[c];
    return (q[1] - p[1]) * (r[0] - p[0]) - (q[0] - p[0]) * (r[1] - p[1]);
}

// Two triangles for each square. With jitter below 0.5 squares do not cross each other, and one of a square's
// diagonals lies within it: the one whose triangles both look upwards.
static void divide_squares(triangulation *t)
{
    int32_t *corner = t->origin;
    for (int32_t row = 0; row + 1 < t->side; row++)
        for (int32_t column = 0; column + 1 < t->side; column++, corner += 6) {
            int32_t a = row * t->side + column, b = a + 1, c = b + t->side, d = a + t->side;
            bool falling = area(t, a, d, c) > 0.0 && area(t, a, c, b) > 0.0;
            const int32_t first[6] = {a, d, c, a, c, b}, second[6] = {a, d, b, b, d, c};
            for (int32_t i = 0; i < 6; i++)
                corner[i] = falling ? first[i] : second[i];
        }
}

typedef struct edge_key {
    int64_t ends;
    int32_t edge;
} edge_key;

static int by_ends(const void *a, const void *b)
{
    const edge_key *left = a, *right = b;
    return (left->ends > right->ends) - (left->ends < right->ends);
}

static bool pair_edges(triangulation *t)
{
    edge_key *keys = malloc((size_t)t->edge_count * sizeof *keys);
    for (int32_t i = 0; keys && i < t->edge_count; i++) {
        int64_t from = t->origin[i], to = t->origin[next_of(i)];
        keys[i] = (edge_key){from < to ? from << 32 | to : to << 32 | from, i};
        t->twin[i] = -1;
    }
    if (!keys)
        return false;
    qsort(keys, (size_t)t->edge_count, sizeof *keys, by_ends);
    for (int32_t i = 0; i + 1 < t->edge_count; i++)
        if (keys[i].ends == keys[i + 1].ends) {
            t->twin[keys[i].edge] = keys[i + 1].edge;
            t->twin[keys[i + 1].edge] = keys[i].edge;
        }
    free(keys);
    return true;
}

static double cotangent(const triangulation *t, int32_t corner, int32_t a, int32_t b)
{
    const double *c = t->points[corner], *p = t->points[a], *q = t->points[b];
    double x[2] = {p[0] - c[0], p[1] - c[1]}, y[2] = {q[0] - c[0], q[1] - c[1]};
    return (x[0] * y[0] + x[1] * y[1]) / fabs(x[0] * y[1] - x[1] * y[0]);
}

static bool is_delaunay(const triangulation *t, int32_t edge)
{
    int32_t twin = t->twin[edge], a = t->origin[edge], b = t->origin[next_of(edge)];
    if (twin < 0)
        return true;
    return cotangent(t, t->origin[previous_of(edge)], a, b) + cotangent(t, t->origin[previous_of(twin)], a, b) > -1e-9;
}

static void join(triangulation *t, int32_t edge, int32_t other)
{
    t->twin[edge] = other;
    if (other >= 0)
        t->twin[other] = edge;
}

// Flips the edge a-b to p-q: the triangles (a, b, p) and (b, a, q) become (a, q, p) and (b, p, q).
static void flip(triangulation *t, int32_t edge)
{
    int32_t twin = t->twin[edge], after = next_of(edge), beyond = next_of(twin);
    int32_t outside = t->twin[after], opposite = t->twin[beyond];
    t->origin[after] = t->origin[previous_of(twin)];
    t->origin[beyond] = t->origin[previous_of(edge)];
    join(t, edge, opposite);
    join(t, twin, outside);
    join(t, after, beyond);
}

static void make_delaunay(triangulation *t)
{
    for (int32_t flips = 1; flips > 0;) {
        flips = 0;
        for (int32_t i = 0; i < t->edge_count; i++)
            if (i < t->twin[i] && !is_delaunay(t, i)) {
                flip(t, i);
                flips++;
            }
    }
}

static pli_status make_mesh(const triangulation *t, float width, const int32_t *numbers, float *positions,
                            pli_mesh **mesh, pli_error *error)
{
    double spacing = (double)width / (t->side - 1);
    for (int32_t i = 0; i < t->point_count; i++) {
        float *p = positions + 3 * (ptrdiff_t)numbers[i];
        p[0] = (float)(spacing * t->points[i][0] - 0.5 * (double)width);
        p[1] = 0.0f;
        p[2] = (float)(spacing * t->points[i][1] - 0.5 * (double)width);
    }
    for (int32_t i = 0; i < t->edge_count; i++)
        t->origin[i] = numbers[t->origin[i]];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = t->point_count;
    def.face_vertices = t->origin, def.face_count = t->edge_count / 3;
    return pli_mesh_create(&def, mesh, error);
}

pli_status bench_create_irregular_sheet(int32_t side, float width, double jitter, pli_mesh **mesh, pli_error *error)
{
    triangulation t = {.side = side, .point_count = side * side, .edge_count = 6 * (side - 1) * (side - 1)};
    size_t points = (size_t)t.point_count, edges = (size_t)t.edge_count;
    int32_t *numbers = shuffled_numbers(t.point_count, 7);
    float *positions = malloc(3 * points * sizeof *positions);
    t.points = malloc(points * sizeof *t.points);
    t.origin = malloc(edges * sizeof *t.origin);
    t.twin = malloc(edges * sizeof *t.twin);
    bool whole = numbers && positions && t.points && t.origin && t.twin;
    if (whole) {
        scatter(&t, jitter);
        divide_squares(&t);
        whole = pair_edges(&t);
    }
    if (whole)
        make_delaunay(&t);
    pli_status status = whole ? make_mesh(&t, width, numbers, positions, mesh, error)
                              : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    free(t.twin);
    free(t.origin);
    free(t.points);
    free(positions);
    free(numbers);
    return status;
}

/* ---- the sphere --------------------------------------------------------------------------------- */

// Points of a spiral, each with the same area, moved by up to a third of their distance.
pli_status bench_create_irregular_sphere(int32_t count, float radius, pli_mesh **mesh, pli_error *error)
{
    int32_t *numbers = shuffled_numbers(count, 7);
    float *points = malloc(3 * (size_t)count * sizeof *points);
    pli_status status = PLI_STATUS_OK;
    double apart = sqrt(4.0 * pi / count), golden = pi * (3.0 - sqrt(5.0));
    uint64_t seed = 5;
    for (int32_t i = 0; numbers && points && i < count; i++) {
        double height = 1.0 - 2.0 * (i + 0.5) / count, across = sqrt(1.0 - height * height);
        double aside = apart * (next_random(&seed) - 0.5) / 1.5, along = apart * (next_random(&seed) - 0.5) / 1.5;
        double angle = golden * i + aside / across, rise = asin(height) + along;
        float *p = points + 3 * (ptrdiff_t)numbers[i];
        p[0] = (float)((double)radius * cos(rise) * cos(angle));
        p[1] = (float)((double)radius * sin(rise));
        p[2] = (float)((double)radius * cos(rise) * sin(angle));
    }
    status = numbers && points ? pli_mesh_create_hull(points, count, mesh, error)
                               : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    free(points);
    free(numbers);
    return status;
}
