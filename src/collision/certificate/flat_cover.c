// The convex hull of two clusters of flat cloth, and whether the cloth covers it.
#include "collision/certificate/flat_cover.h"

#include <stdlib.h>
#include <string.h>

// Most corners of the triangles of two clusters.
enum { POINTS = 6 * PLI_CLUSTER_ITEMS_MAX };
// Fraction of the hull's size up to which a side only touches it.
#define COVER_TOUCHING 1e-6

int pli_flat_by_place(const void *left, const void *right)
{
    const double *a = left, *b = right;
    int x = (a[0] > b[0]) - (a[0] < b[0]);
    return x != 0 ? x : (a[1] > b[1]) - (a[1] < b[1]);
}

// Twice the signed area of triangle a b c; positive when counter-clockwise.
double pli_flat_twice_area(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// One chain of the convex hull of sorted points, in direction `step` (1 or -1), written to `hull`. Returns its size.
int32_t pli_flat_half_hull(const double *points, int32_t count, int32_t step, double *cover_hull)
{
    int32_t size = 0;
    for (int32_t i = 0; i < count; i++) {
        const double *p = points + 2 * (step > 0 ? i : count - 1 - i);
        while (size >= 2 && pli_flat_twice_area(cover_hull + 2 * (size - 2), cover_hull + 2 * (size - 1), p) <= 0.0)
            size--;
        cover_hull[2 * size] = p[0], cover_hull[2 * size + 1] = p[1];
        size++;
    }
    return size;
}

typedef struct cover_hull {
    double corners[2 * (POINTS + 2)]; // Counter-clockwise.
    double least[POINTS + 2];         // Twice the area over the side from a corner that a point inside exceeds [m2].
    int32_t count;
} cover_hull;

static void add_corners(const pli_flat_cover *c, const pli_clusters *clusters, int32_t cluster, double *points,
                        int32_t *count)
{
    const int32_t *items = clusters->items[PLI_PRIMITIVE_TRIANGLE];
    for (int32_t i = clusters->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
         i < clusters->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
        for (int32_t k = 0; k < 3; k++, ++*count)
            memcpy(points + 2 * (ptrdiff_t)*count, pli_flat_corner(c->charts, items[i], k), 2 * sizeof *points);
}

static void find_hull(const pli_flat_cover *c, const pli_clusters *clusters, int32_t one, int32_t other, cover_hull *h)
{
    double points[2 * POINTS], chain[2 * POINTS];
    int32_t count = 0;
    add_corners(c, clusters, one, points, &count);
    add_corners(c, clusters, other, points, &count);
    qsort(points, (size_t)count, 2 * sizeof *points, pli_flat_by_place);
    h->count = 0;
    for (int32_t step = 1; step >= -1; step -= 2) {
        int32_t size = pli_flat_half_hull(points, count, step, chain);
        memcpy(h->corners + 2 * (ptrdiff_t)h->count, chain, 2 * (size_t)(size - 1) * sizeof *chain);
        h->count += size - 1;
    }
    const double tolerance = COVER_TOUCHING *
                             hypot(points[2 * (count - 1)] - points[0], points[2 * (count - 1) + 1] - points[1]);
    for (int32_t i = 0; i < h->count; i++) {
        const double *a = h->corners + 2 * i, *b = h->corners + 2 * ((i + 1) % h->count);
        h->least[i] = tolerance * hypot(b[0] - a[0], b[1] - a[1]);
    }
}

// Does a part of the line from p to q lie inside of the hull (Cyrus and Beck 1978)?
static bool enters(const cover_hull *h, const double *p, const double *q)
{
    double first = 0.0, last = 1.0;
    for (int32_t i = 0; i < h->count; i++) {
        const double *a = h->corners + 2 * i, *b = h->corners + 2 * ((i + 1) % h->count);
        double from = pli_flat_twice_area(a, b, p) - h->least[i], to = pli_flat_twice_area(a, b, q) - h->least[i];
        if (from <= 0.0 && to <= 0.0)
            return false;
        if (from < 0.0)
            first = fmax(first, from / (from - to));
        else if (to < 0.0)
            last = fmin(last, from / (from - to));
    }
    return first < last;
}

static bool were_reached(const pli_flat_cover *c, const pli_clusters *clusters, int32_t cluster)
{
    const int32_t *items = clusters->items[PLI_PRIMITIVE_TRIANGLE];
    for (int32_t i = clusters->starts[PLI_PRIMITIVE_TRIANGLE][cluster];
         i < clusters->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
        if (c->reached[items[i]] != c->round)
            return false;
    return true;
}

static void reach_triangle(pli_flat_cover *c, int32_t triangle, int32_t *count)
{
    if (c->reached[triangle] == c->round)
        return;
    c->reached[triangle] = c->round;
    c->queue[(*count)++] = triangle;
}

bool pli_flat_covers_hull(pli_flat_cover *c, const pli_clusters *clusters, int32_t one, int32_t other)
{
    const pli_flat_charts *charts = c->charts;
    int32_t first = clusters->items[PLI_PRIMITIVE_TRIANGLE][clusters->starts[PLI_PRIMITIVE_TRIANGLE][one]], count = 0;
    cover_hull h;
    find_hull(c, clusters, one, other, &h);
    c->round++;
    reach_triangle(c, first, &count);
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < 3; k++) {
            int32_t triangle = c->queue[i];
            if (!enters(&h, pli_flat_corner(charts, triangle, k), pli_flat_corner(charts, triangle, (k + 1) % 3)))
                continue;
            const int32_t *at = charts->edge_triangles +
                                2 * (ptrdiff_t)charts->source->side_edges[3 * (ptrdiff_t)triangle + k];
            int32_t across = at[0] == triangle ? at[1] : at[0];
            if (across < 0 || charts->charts[across] != charts->charts[first])
                return false;
            reach_triangle(c, across, &count);
        }
    return were_reached(c, clusters, one) && were_reached(c, clusters, other);
}

bool pli_flat_cover_begin(pli_memory *memory, pli_flat_cover *c, const pli_flat_charts *charts)
{
    int64_t triangles = charts->source->triangle_count;
    *c = (pli_flat_cover){charts, PLI_ALLOCATE(memory, int32_t, triangles), PLI_ALLOCATE(memory, int32_t, triangles),
                          0};
    return c->reached && c->queue;
}

void pli_flat_cover_end(pli_memory *memory, pli_flat_cover *c)
{
    pli_release(memory, c->reached);
    pli_release(memory, c->queue);
}
