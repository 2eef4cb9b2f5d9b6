#include "schedule/line_order.h"

#include "base/vector.h"
#include "schedule/contiguous_batches.h"

#include <stdlib.h>
#include <string.h>

// Cosine of the angle by which a line may turn at a vertex that has no opposite neighbour.
#define LEAST_STRAIGHT 0.8f

enum { OPEN = -1, TAKEN = -2 };

// A line is dealt out to so many parts, so that neither the ends of an edge nor those of two edges in a row share one.
enum { INTERLEAVE = 4 };

typedef struct lines {
    const pli_topology *topology;
    int32_t *order;    // OPEN, TAKEN by the line at work, or the place.
    int32_t *refitted; // Vertices of the lines one after the other; ~vertex for the last of each.
    int32_t count;
} lines;

static bool is_open(const lines *l, int32_t v) { return l->order[v] == OPEN; }

static bool surface_contact(const pli_topology *t, int32_t a, int32_t b)
{
    for (int32_t i = t->ring_offsets[a]; i < t->ring_offsets[a + 1]; i++)
        if (t->ring_vertices[i] == b)
            return true;
    return false;
}

static pli_vec3 trajectory(const pli_topology *t, int32_t from, int32_t to)
{
    const float *a = t->positions + 3 * from, *b = t->positions + 3 * to;
    return (pli_vec3){b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

// The neighbour of `at` that lies opposite to `before`, or -1.
static int32_t straight_on(const pli_topology *t, int32_t before, int32_t at)
{
    int32_t begin = t->ring_offsets[at], count = t->ring_offsets[at + 1] - begin, best = -1;
    if (!t->vertex_boundary[at] && count % 2 == 0)
        for (int32_t i = 0; i < count; i++)
            if (t->ring_vertices[begin + i] == before)
                return t->ring_vertices[begin + (i + count / 2) % count];
    pli_vec3 incoming = trajectory(t, before, at);
    float most = LEAST_STRAIGHT * pli_length(incoming);
    for (int32_t i = 0; i < count; i++) {
        pli_vec3 outgoing = trajectory(t, at, t->ring_vertices[begin + i]);
        float length = pli_length(outgoing), straight = length > 0.0f ? pli_dot(incoming, outgoing) / length : 0.0f;
        if (straight <= most)
            continue;
        most = straight;
        best = t->ring_vertices[begin + i];
    }
    return best;
}

static void take(lines *l, int32_t v)
{
    l->order[v] = TAKEN;
    l->refitted[l->count++] = v;
}

static void follow(lines *l, int32_t before, int32_t at)
{
    while (at >= 0 && is_open(l, at)) {
        take(l, at);
        int32_t next = straight_on(l->topology, before, at);
        before = at, at = next;
    }
}

static void turn(int32_t *list, int32_t count)
{
    for (int32_t i = 0; i < count / 2; i++) {
        int32_t kept = list[i];
        list[i] = list[count - 1 - i], list[count - 1 - i] = kept;
    }
}

// Lays the line through `from` and `to`, both open, or from it alone when that is -1.
static void refit(lines *l, int32_t from, int32_t to)
{
    int32_t first = l->count;
    take(l, from);
    if (to >= 0) {
        follow(l, to, straight_on(l->topology, to, from));
        turn(l->refitted + first, l->count - first);
        follow(l, from, to);
    }
    for (int32_t interleave = 0, place = first; interleave < INTERLEAVE; interleave++)
        for (int32_t i = first + interleave; i < l->count; i += INTERLEAVE)
            l->order[l->refitted[i]] = place++;
    l->refitted[l->count - 1] = ~l->refitted[l->count - 1];
}

// An open neighbour of `beside` that touches `other`, or -1.
static int32_t open_between(const lines *l, int32_t beside, int32_t other)
{
    const pli_topology *t = l->topology;
    for (int32_t i = t->ring_offsets[beside]; i < t->ring_offsets[beside + 1]; i++)
        if (is_open(l, t->ring_vertices[i]) && surface_contact(t, t->ring_vertices[i], other))
            return t->ring_vertices[i];
    return -1;
}

// Lays lines beside the vertex of a line whose neighbours in it are `before` and `after`, or -1, the same way round.
static void lay_beside(lines *l, int32_t v, int32_t before, int32_t after)
{
    const pli_topology *t = l->topology;
    for (int32_t i = t->ring_offsets[v]; i < t->ring_offsets[v + 1]; i++) {
        int32_t beside = t->ring_vertices[i];
        if (!is_open(l, beside))
            continue;
        int32_t next = after >= 0 ? open_between(l, beside, after) : -1;
        int32_t last = next < 0 && before >= 0 ? open_between(l, beside, before) : -1;
        if (next >= 0)
            refit(l, beside, next);
        else if (last >= 0)
            refit(l, last, beside);
    }
}

static int32_t nearest_open(const lines *l, int32_t v)
{
    const pli_topology *t = l->topology;
    int32_t nearest = -1;
    float least = INFINITY;
    for (int32_t i = t->ring_offsets[v]; i < t->ring_offsets[v + 1]; i++) {
        float length = pli_length(trajectory(t, v, t->ring_vertices[i]));
        if (!is_open(l, t->ring_vertices[i]) || !(length < least))
            continue;
        least = length;
        nearest = t->ring_vertices[i];
    }
    return nearest;
}

// Lays a line from the vertex on and those beside it, those beside them and so on.
static void spread_from(lines *l, int32_t seed)
{
    int32_t before = -1, at = l->count;
    refit(l, seed, nearest_open(l, seed));
    for (; at < l->count; at++) {
        bool ends = l->refitted[at] < 0;
        int32_t v = ends ? ~l->refitted[at] : l->refitted[at];
        int32_t after = ends ? -1 : l->refitted[at + 1] < 0 ? ~l->refitted[at + 1] : l->refitted[at + 1];
        lay_beside(l, v, before, after);
        before = ends ? -1 : v;
    }
}

// Edges that have another one place on, and are long enough for four of them to share no particle.
static double regular_share(const lines *l)
{
    const pli_topology *t = l->topology;
    int32_t *at = l->refitted, regular = 0;
    for (int32_t v = 0; v < t->vertex_count; v++)
        at[l->order[v]] = v;
    for (int32_t e = 0; e < t->edge_count; e++) {
        int32_t a = l->order[t->edges[2 * e]], b = l->order[t->edges[2 * e + 1]];
        int32_t last = a > b ? a : b;
        regular += last + 1 < t->vertex_count && abs(a - b) >= PLI_CONTIGUOUS_BATCH &&
                   surface_contact(t, at[a + 1], at[b + 1]);
    }
    return t->edge_count > 0 ? (double)regular / t->edge_count : 0.0;
}

double pli_line_order(pli_memory *memory, const pli_topology *topology, const int32_t *along, int32_t *order)
{
    int32_t count = topology->vertex_count;
    lines l = {topology, order, PLI_ALLOCATE(memory, int32_t, count), 0};
    int32_t *curve = PLI_ALLOCATE(memory, int32_t, count);
    double share = -1.0;
    if (l.refitted && curve) {
        for (int32_t v = 0; v < count; v++) {
            curve[along[v]] = v;
            order[v] = OPEN;
        }
        for (int32_t place = 0; place < count; place++)
            if (order[curve[place]] == OPEN)
                spread_from(&l, curve[place]);
        share = regular_share(&l);
    }
    pli_release(memory, curve);
    pli_release(memory, l.refitted);
    return share;
}
