#include "guess/supports.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Heights as fractions of the total height: the band of the top or the foot, and the largest unevenness of an upper border that is used
// entirely.
#define BAND 0.01
#define UNEVEN 0.25
#define GRIP 0.06
// The feet extend this fraction of the width beyond the centre of mass. The support of a round bottom is narrower, so the shape would
// roll.
#define STEADY 0.12
// Pieces are joined if their distance is at most this many edges.
#define NEAR 2.0
enum { DIRECTIONS = 32, FEET_LEAST = 3, SAMPLES = 16, NEAREST = 4 };

static double height_of(const pli_topology *t, const pli_measures *m, int32_t v)
{
    return (double)pli_measured_point(t, v)[m->up];
}

/* ---- hanging --------------------------------------------------------------------------------------- */

// The border loop with the highest mean, and its lowest and highest points.
static int32_t highest_loop(const pli_topology *t, const pli_measures *m, double *low, double *high)
{
    int32_t best = -1;
    double most = -INFINITY;
    for (int32_t i = 0; i < t->boundary_loop_count; i++) {
        double sum = 0.0, least = INFINITY, top = -INFINITY;
        for (int32_t k = t->boundary_offsets[i]; k < t->boundary_offsets[i + 1]; k++) {
            const double at = height_of(t, m, t->boundary_vertices[k]);
            sum += at, least = fmin(least, at), top = fmax(top, at);
        }
        sum /= t->boundary_offsets[i + 1] - t->boundary_offsets[i];
        if (sum > most)
            best = i, most = sum, *low = least, *high = top;
    }
    return best;
}

int32_t pli_mark_upper_border(const pli_topology *t, const pli_measures *m, uint8_t *marked)
{
    const double tall = m->extent[m->up], top = m->high[m->up];
    double low = 0.0, high = -INFINITY;
    const int32_t loop = highest_loop(t, m, &low, &high);
    int32_t count = 0;
    if (loop < 0 || high < top - 0.1 * tall)
        return 0;
    const double least = high - low <= UNEVEN * tall ? low : top - BAND * tall;
    for (int32_t k = t->boundary_offsets[loop]; k < t->boundary_offsets[loop + 1]; k++) {
        const int32_t v = t->boundary_vertices[k];
        if (height_of(t, m, v) >= least && !marked[v])
            marked[v] = 1, count++;
    }
    return count;
}

/* ---- standing -------------------------------------------------------------------------------------- */

bool pli_mark_feet(const pli_topology *t, const pli_measures *m, uint8_t *marked)
{
    const int x = (m->up + 1) % 3, z = (m->up + 2) % 3;
    int32_t count = 0;
    double steady = INFINITY;
    for (double band = BAND; count < FEET_LEAST && band < 1.0; band *= 2.0)
        for (int32_t v = 0; v < t->vertex_count; v++)
            if (!marked[v] && t->vertex_components[v] >= 0 &&
                height_of(t, m, v) <= m->low[m->up] + band * m->extent[m->up])
                marked[v] = 1, count++;
    // The extent of the feet beyond the centre of mass, in the direction of the smallest extent.
    for (int d = 0; d < DIRECTIONS; d++) {
        const double angle = 2.0 * 3.14159265358979323846 * d / DIRECTIONS, c = cos(angle), s = sin(angle);
        double reach = -INFINITY;
        for (int32_t v = 0; v < t->vertex_count; v++)
            if (marked[v])
                reach = fmax(reach, c * ((double)pli_measured_point(t, v)[x] - m->centre[x]) +
                                        s * ((double)pli_measured_point(t, v)[z] - m->centre[z]));
        steady = fmin(steady, reach);
    }
    if (steady >= STEADY * fmax(m->extent[x], m->extent[z]))
        return true;
    // The shape is pinned there, and must not tilt about a few vertices.
    for (int32_t v = 0; v < t->vertex_count; v++)
        if (t->vertex_components[v] >= 0 && height_of(t, m, v) <= m->low[m->up] + GRIP * m->extent[m->up])
            marked[v] = 1;
    return false;
}

/* ---- pieces ---------------------------------------------------------------------------------------- */

typedef struct piece {
    int32_t component, count;
} piece;

static int by_size(const void *a, const void *b)
{
    const piece *p = a, *q = b;
    return p->count != q->count ? (p->count < q->count ? 1 : -1)
                                : (p->component > q->component) - (p->component < q->component);
}

// The NEAREST vertices of earlier pieces around a vertex, none at its own position; returns their number.
static int32_t find_nearest(const pli_topology *t, const int32_t *rank, int32_t v, double edge, int32_t *found)
{
    double distances[NEAREST];
    int32_t count = 0;
    for (int32_t u = 0; u < t->vertex_count; u++) {
        if (t->vertex_components[u] < 0 || rank[t->vertex_components[u]] >= rank[t->vertex_components[v]])
            continue;
        const double distance = pli_measured_distance(pli_measured_point(t, u), pli_measured_point(t, v));
        if (distance < 1e-3 * edge || (count == NEAREST && distance >= distances[count - 1]))
            continue;
        int32_t k = count < NEAREST ? count++ : count - 1;
        for (; k > 0 && distances[k - 1] > distance; k--)
            distances[k] = distances[k - 1], found[k] = found[k - 1];
        distances[k] = distance, found[k] = u;
    }
    return count > 0 && distances[0] <= NEAR * edge ? count : 0;
}

// Evenly sampled vertices of a piece, with the neighbourhoods in larger pieces that support it.
static void join_piece(const pli_topology *t, const pli_measures *m, const int32_t *rank, const piece *p,
                       int32_t *pairs, int32_t *count)
{
    const int32_t stride = p->count / SAMPLES + 1;
    for (int32_t v = 0, at = 0; v < t->vertex_count; v++) {
        if (t->vertex_components[v] != p->component || at++ % stride != 0)
            continue;
        int32_t found[NEAREST];
        const int32_t near = find_nearest(t, rank, v, m->edge, found);
        for (int32_t k = 0; k < near; k++) {
            pairs[2 * (size_t)*count] = v, pairs[2 * (size_t)*count + 1] = found[k];
            ++*count;
        }
    }
}

bool pli_join_pieces(const pli_topology *t, const pli_measures *m, int32_t **pairs, int32_t *count)
{
    const size_t pieces = (size_t)t->component_count;
    piece *sorted = calloc(pieces + 1, sizeof *sorted);
    int32_t *rank = calloc(pieces + 1, sizeof *rank);
    *count = 0;
    *pairs = calloc(2 * pieces * SAMPLES * NEAREST + 1, sizeof **pairs);
    const bool complete = sorted && rank && *pairs;
    for (int32_t i = 0; complete && i < t->component_count; i++)
        sorted[i].component = i;
    for (int32_t v = 0; complete && v < t->vertex_count; v++)
        if (t->vertex_components[v] >= 0)
            sorted[t->vertex_components[v]].count++;
    if (complete) {
        qsort(sorted, pieces, sizeof *sorted, by_size);
        for (int32_t i = 0; i < t->component_count; i++)
            rank[sorted[i].component] = i;
        for (int32_t i = 1; i < t->component_count; i++)
            join_piece(t, m, rank, &sorted[i], *pairs, count);
    }
    free(sorted);
    free(rank);
    return complete;
}
