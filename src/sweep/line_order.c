// Line order of vertices: sweep/line_order.h. A line follows the straightest edges of the mesh in both directions
// until it meets a vertex that is already on a line. Then adjacent lines are started, with the same orientation:
//
//   *---*---*---*---*     line 0
//   |   |   |   |   |
//   *---*---*---*---*     line 1, adjacent to line 0: each vertex is a neighbour of one of line 0
#include "sweep/line_order.h"

#include "base/vector.h"
#include "sweep/contiguous_batches.h"

#include <stdlib.h>
#include <string.h>

// Minimum cosine of the angle by which a line may turn at a vertex without an opposite neighbour.
#define LINE_LEAST_STRAIGHT 0.8f

enum { OPEN = -1, ON_LINE = -2 };

// Number of parts into which the vertices of a line are interleaved, so that neither the ends of an edge nor the ends of two successive
// edges are in one part.
enum { PARTS = 4 };

typedef struct vertex_lines {
    const pli_topology *topology;
    int32_t *order;    // OPEN, ON_LINE while the line is being traced, or the internal index.
    int32_t *sequence; // Vertices, line after line; ~vertex for the last vertex of each line.
    int32_t count;
} vertex_lines;

static bool is_open(const vertex_lines *l, int32_t v) { return l->order[v] == OPEN; }

static bool are_adjacent(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (t->ring_vertices[i] == b)
            return true;
    return false;
}

static pli_vec3 edge_vector(const pli_topology *t, int32_t from, int32_t to)
{
    const float *a = t->positions + 3 * from, *b = t->positions + 3 * to;
    return (pli_vec3){b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

// The neighbour of `at` opposite to `before`, or -1. In the interior of a mesh with an even number of neighbours it is halfway around the
// ring, otherwise in the straightest direction.
static int32_t straight_on(const pli_topology *t, int32_t before, int32_t at)
{
    int32_t begin = t->ring_offsets[at], count = t->ring_offsets[at + 1] - begin, best = -1;
    if (!t->vertex_boundary[at] && count % 2 == 0)
        for (int32_t i = 0; i < count; i++)
            if (t->ring_vertices[begin + i] == before)
                return t->ring_vertices[begin + (i + count / 2) % count];
    pli_vec3 incoming = edge_vector(t, before, at);
    float most = LINE_LEAST_STRAIGHT * pli_length(incoming);
    for (int32_t i = 0; i < count; i++) {
        pli_vec3 outgoing = edge_vector(t, at, t->ring_vertices[begin + i]);
        float length = pli_length(outgoing), straight = length > 0.0f ? pli_dot(incoming, outgoing) / length : 0.0f;
        if (straight <= most)
            continue;
        most = straight;
        best = t->ring_vertices[begin + i];
    }
    return best;
}

static void line_append(vertex_lines *l, int32_t v)
{
    l->order[v] = ON_LINE;
    l->sequence[l->count++] = v;
}

static void line_extend(vertex_lines *l, int32_t before, int32_t at)
{
    while (at >= 0 && is_open(l, at)) {
        line_append(l, at);
        int32_t next = straight_on(l->topology, before, at);
        before = at, at = next;
    }
}

static void reverse(int32_t *list, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        int32_t kept = list[i];
        list[i] = list[count - 1 - i], list[count - 1 - i] = kept;
    }
}

// Adds the line through the edge from `from` to `to`, both open, or a line of `from` alone when `to` is -1.
static void add_line(vertex_lines *l, int32_t from, int32_t to)
{
    int32_t first = l->count;
    line_append(l, from);
    if (to >= 0) {
        line_extend(l, to, straight_on(l->topology, to, from));
        reverse(l->sequence + first, l->count - first);
        line_extend(l, from, to);
    }
    for (int32_t part = 0, place = first; part < PARTS; part++)
        for (int32_t i = first + part; i < l->count; i += PARTS)
            l->order[l->sequence[i]] = place++;
    l->sequence[l->count - 1] = ~l->sequence[l->count - 1];
}

// An open neighbour of `beside` that is adjacent to `other`, or -1.
static int32_t open_between(const vertex_lines *l, int32_t beside, int32_t other)
{
    const pli_topology *t = l->topology;
    for (int32_t i = t->ring_offsets[beside]; i < t->ring_offsets[beside + 1]; i++)
        if (is_open(l, t->ring_vertices[i]) && are_adjacent(t, t->ring_vertices[i], other))
            return t->ring_vertices[i];
    return -1;
}

// Adds lines adjacent to vertex v of a line, with the same orientation. `before` and `after` are its neighbours on its line, or -1.
static void add_lines_beside(vertex_lines *l, int32_t v, int32_t before, int32_t after)
{
    const pli_topology *t = l->topology;
    for (int32_t i = t->ring_offsets[v]; i < t->ring_offsets[v + 1]; i++) {
        int32_t beside = t->ring_vertices[i];
        if (!is_open(l, beside))
            continue;
        int32_t next = after >= 0 ? open_between(l, beside, after) : -1;
        int32_t last = next < 0 && before >= 0 ? open_between(l, beside, before) : -1;
        if (next >= 0)
            add_line(l, beside, next);
        else if (last >= 0)
            add_line(l, last, beside);
    }
}

static int32_t nearest_open(const vertex_lines *l, int32_t v)
{
    const pli_topology *t = l->topology;
    int32_t nearest = -1;
    float least = INFINITY;
    for (int32_t i = t->ring_offsets[v]; i < t->ring_offsets[v + 1]; i++) {
        float length = pli_length(edge_vector(t, v, t->ring_vertices[i]));
        if (!is_open(l, t->ring_vertices[i]) || !(length < least))
            continue;
        least = length;
        nearest = t->ring_vertices[i];
    }
    return nearest;
}

// Adds the line from a seed along its shortest edge, then its adjacent lines, then the lines adjacent to those, and so on.
static void grow_from(vertex_lines *l, int32_t seed)
{
    int32_t before = -1, at = l->count;
    add_line(l, seed, nearest_open(l, seed));
    for (; at < l->count; at++) {
        bool ends = l->sequence[at] < 0;
        int32_t v = ends ? ~l->sequence[at] : l->sequence[at];
        int32_t after = ends ? -1 : l->sequence[at + 1] < 0 ? ~l->sequence[at + 1] : l->sequence[at + 1];
        add_lines_beside(l, v, before, after);
        before = ends ? -1 : v;
    }
}

// Fraction of the edges for which another edge exists at the next indices, and whose ends are far enough apart for four of them to share
// no particle.
static double regular_share(const vertex_lines *l)
{
    const pli_topology *t = l->topology;
    int32_t *at = l->sequence, regular = 0;
    for (int32_t v = 0; v < t->vertex_count; v++)
        at[l->order[v]] = v;
    for (int32_t e = 0; e < t->edge_count; e++) {
        int32_t a = l->order[t->edges[2 * e]], b = l->order[t->edges[2 * e + 1]];
        int32_t last = a > b ? a : b;
        regular += last + 1 < t->vertex_count && abs(a - b) >= PLI_CONTIGUOUS_BATCH &&
                   are_adjacent(t, at[a + 1], at[b + 1]);
    }
    return t->edge_count > 0 ? (double)regular / t->edge_count : 0.0;
}

double pli_line_order(pli_memory *memory, const pli_topology *topology, const int32_t *along, int32_t *order)
{
    int32_t count = topology->vertex_count;
    vertex_lines l = {topology, order, PLI_ALLOCATE(memory, int32_t, count), 0};
    int32_t *curve = PLI_ALLOCATE(memory, int32_t, count);
    double share = -1.0;
    if (l.sequence && curve) {
        for (int32_t v = 0; v < count; v++) {
            curve[along[v]] = v;
            order[v] = OPEN;
        }
        for (int32_t place = 0; place < count; place++)
            if (order[curve[place]] == OPEN)
                grow_from(&l, curve[place]);
        share = regular_share(&l);
    }
    pli_release(memory, curve);
    pli_release(memory, l.sequence);
    return share;
}
