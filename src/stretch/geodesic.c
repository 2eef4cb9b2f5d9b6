// Dijkstra's algorithm with fronts that cross triangles instead of only following edges.
//
// A vertex u receives a path along an edge, or across a triangle from two corners v and w whose distances are known.
// From the two distances a virtual source point is constructed in the plane of the triangle, beyond the edge vw, and
// the path to u is the straight line from that point, if it crosses vw:
//
//            u            The line from the point to u crosses vw: the length is |point u|. Otherwise the path bends at
//           / \           v or w, and the length up to the bend is kept as `before`. Where the surface is flat since
//          /   \          the last bend, the point is the bend itself, so lengths in a plane are exact, also around
//         v-----w         holes. On curved surfaces, and where v and w received paths with different bends, they are
//          .   .          off by the figures of tests/properties/test_tethers.c.
//          point
//
//   The point is constructed as in Novotni and Klein 2002, Computing Geodesic Distances on Triangular Meshes. Bends are
//   kept apart as in Mitchell, Mount, Papadimitriou 1987, The Discrete Geodesic Problem.
//
// Faces of more than three corners have no diagonal that keeps its length, so paths follow their edges.
#include "stretch/geodesic.h"

#include "base/vector.h"

#include <math.h>

// Lengths with a smaller relative difference count as equal.
static const double same_length = 1e-9;

typedef pli_arrival arrival;
typedef pli_geodesics search;

static pli_dvec3 position_of(const search *s, int32_t vertex)
{
    const float *p = s->faces->positions + 3 * vertex;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static double straight(const search *s, int32_t a, int32_t b)
{
    return pli_dlength(pli_dsub(position_of(s, a), position_of(s, b)));
}

/* ---- priority queue ----------------------------------------------------------------------------- */

static bool is_nearer(const arrival *a, const arrival *b)
{
    return a->length < b->length || (a->length == b->length && a->vertex < b->vertex);
}

static void heap_push(search *s, arrival item)
{
    if (!pli_reserve(s->memory, &s->heap, &s->capacity, (int64_t)s->count + 1, sizeof *s->heap)) {
        s->failed = true;
        return;
    }
    int32_t at = s->count++;
    for (int32_t above = (at - 1) / 2; at > 0 && is_nearer(&item, &s->heap[above]); at = above, above = (at - 1) / 2)
        s->heap[at] = s->heap[above];
    s->heap[at] = item;
}

static arrival heap_pop(search *s)
{
    arrival first = s->heap[0], last = s->heap[--s->count];
    int32_t at = 0;
    for (;;) {
        int32_t below = 2 * at + 1;
        if (below + 1 < s->count && is_nearer(&s->heap[below + 1], &s->heap[below]))
            below++;
        if (below >= s->count || !is_nearer(&s->heap[below], &last))
            break;
        s->heap[at] = s->heap[below];
        at = below;
    }
    s->heap[at] = last;
    return first;
}

/* ---- paths to a vertex --------------------------------------------------------------------------- */

static pli_geodesic *path_of(const search *s, int32_t vertex, int32_t group)
{
    pli_geodesic *paths = s->paths + (size_t)vertex * (size_t)s->most;
    for (int32_t k = 0; k < s->most; k++)
        if (paths[k].group == group)
            return &paths[k];
    return NULL;
}

// The entry that an offered path replaces: that of its group, else a free one, else the longest.
static pli_geodesic *place_for(const search *s, int32_t vertex, const pli_geodesic *offered)
{
    pli_geodesic *paths = s->paths + (size_t)vertex * (size_t)s->most, *longest = &paths[0];
    pli_geodesic *own = path_of(s, vertex, offered->group);
    if (own)
        return own;
    for (int32_t k = 0; k < s->most; k++) {
        if (paths[k].group < 0)
            return &paths[k];
        if (paths[k].length > longest->length)
            longest = &paths[k];
    }
    return longest;
}

// Offers a path to a vertex. When two have equal length, the one that bends earlier is kept, since it stays straight
// for longer. Lengths never grow, so the search terminates.
static void offer(search *s, int32_t vertex, pli_geodesic path)
{
    pli_geodesic *place = place_for(s, vertex, &path);
    bool better = place->group < 0 || path.length < place->length * (1.0 - same_length);
    if (!better && place->group == path.group && path.length <= place->length * (1.0 + same_length) &&
        path.before < place->before - same_length * place->length) {
        path.length = fmin(path.length, place->length);
        better = true;
    }
    if (!better)
        return;
    *place = path;
    heap_push(s, (arrival){path.length, vertex, path.group});
}

static void offer_along(search *s, int32_t from, const pli_geodesic *path, int32_t to)
{
    offer(s, to, (pli_geodesic){path->length + straight(s, from, to), path->length, from, path->source, path->group});
}

// Source of a path across a triangle: where fronts of two sources of a group meet, both have paths of about the same
// length.
static int32_t nearer_source(const search *s, int32_t vertex, int32_t a, int32_t b)
{
    return a == b || straight(s, vertex, a) <= straight(s, vertex, b) ? a : b;
}

// Offers u a path across the edge from v to w, whose paths are a and b.
static void offer_across(search *s, int32_t v, const pli_geodesic *a, int32_t w, const pli_geodesic *b, int32_t u)
{
    pli_geodesic path = {.turn = -1, .group = a->group, .source = nearer_source(s, u, a->source, b->source)};
    if (a->source == b->source && a->turn == b->turn && a->turn >= 0)
        path.before = a->before, path.turn = a->turn;
    else if (b->turn == v)
        path.before = a->length, path.turn = v;
    else if (a->turn == w)
        path.before = b->length, path.turn = w;
    pli_dvec3 along = pli_dsub(position_of(s, w), position_of(s, v)),
              up = pli_dsub(position_of(s, u), position_of(s, v));
    double edge = pli_dlength(along), to_v = a->length - path.before, to_w = b->length - path.before;
    if (!(edge > 0.0))
        return;
    double x = pli_ddot(up, along) / edge, y = sqrt(fmax(pli_ddot(up, up) - x * x, 0.0));
    double from_x = (to_v * to_v - to_w * to_w + edge * edge) / (2.0 * edge);
    double from_y = sqrt(fmax(to_v * to_v - from_x * from_x, 0.0));
    if (!(y + from_y > 0.0))
        return;
    double crossing = from_x + (x - from_x) * from_y / (y + from_y);
    if (crossing < -1e-6 * edge || crossing > (1.0 + 1e-6) * edge)
        return;
    path.length = path.before + sqrt((x - from_x) * (x - from_x) + (y + from_y) * (y + from_y));
    offer(s, u, path);
}

// Continues the path at corner v of a triangle to the other two corners.
static void cross_triangle(search *s, int32_t v, const int32_t *corners, int32_t group)
{
    int32_t k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
    int32_t others[2] = {corners[(k + 1) % 3], corners[(k + 2) % 3]};
    for (int32_t i = 0; i < 2; i++) {
        // An offer may replace a path, so each is looked up again.
        const pli_geodesic *path = path_of(s, v, group);
        if (!path)
            return;
        pli_geodesic here = *path;
        offer_along(s, v, &here, others[i]);
        const pli_geodesic *other = path_of(s, others[1 - i], group);
        pli_geodesic beside = other ? *other : here;
        if (other)
            offer_across(s, v, &here, others[1 - i], &beside, others[i]);
    }
}

static void follow_edges(search *s, int32_t v, int32_t face, int32_t group)
{
    int32_t begin = s->faces->face_offsets[face], size = s->faces->face_offsets[face + 1] - begin;
    const int32_t *corners = s->faces->face_vertices + begin;
    for (int32_t k = 0; k < size; k++) {
        const pli_geodesic *path = path_of(s, v, group);
        if (corners[k] != v || !path)
            continue;
        pli_geodesic here = *path;
        offer_along(s, v, &here, corners[(k + 1) % size]);
        offer_along(s, v, &here, corners[(k + size - 1) % size]);
    }
}

static void advance(search *s)
{
    arrival next = heap_pop(s);
    const pli_faces *f = s->faces;
    const pli_geodesic *path = path_of(s, next.vertex, next.group);
    if (!path || path->length != next.length)
        return;
    for (int32_t i = f->triangle_begins[next.vertex]; i < f->triangle_ends[next.vertex]; i++) {
        int32_t triangle = f->vertex_triangles[i], face = f->triangle_faces[triangle];
        if (f->face_offsets[face + 1] - f->face_offsets[face] == 3)
            cross_triangle(s, next.vertex, f->triangles + 3 * triangle, next.group);
        else
            follow_edges(s, next.vertex, face, next.group);
    }
}

// Sorts the paths of a vertex by length, equal ones by group, and raises lengths to the straight distance.
static void sort_paths(const search *s, int32_t vertex)
{
    pli_geodesic *paths = s->paths + (size_t)vertex * (size_t)s->most;
    for (int32_t k = 0; k < s->most; k++)
        if (paths[k].group >= 0)
            paths[k].length = fmax(paths[k].length, straight(s, vertex, paths[k].source));
    for (int32_t k = 1; k < s->most; k++) {
        pli_geodesic moved = paths[k];
        int32_t at = k;
        for (; at > 0 && moved.group >= 0 &&
               (paths[at - 1].group < 0 || moved.length < paths[at - 1].length ||
                (moved.length == paths[at - 1].length && moved.group < paths[at - 1].group));
             at--)
            paths[at] = paths[at - 1];
        paths[at] = moved;
    }
}

void pli_geodesics_begin(pli_geodesics *s, const int32_t *groups)
{
    s->heap = NULL, s->count = s->capacity = 0, s->failed = false;
    for (int64_t i = 0; i < (int64_t)s->faces->vertex_count * s->most; i++)
        s->paths[i] = (pli_geodesic){.group = -1, .source = -1, .turn = -1};
    for (int32_t v = 0; v < s->faces->vertex_count; v++)
        if (groups[v] >= 0)
            offer(s, v, (pli_geodesic){0.0, 0.0, v, v, groups[v]});
}

bool pli_geodesics_go_on(pli_geodesics *s, int64_t arrivals)
{
    for (; arrivals > 0 && s->count > 0 && !s->failed; arrivals--)
        advance(s);
    if (s->count > 0 && !s->failed)
        return false;
    for (int32_t v = 0; v < s->faces->vertex_count; v++)
        sort_paths(s, v);
    return true;
}

void pli_geodesics_end(pli_geodesics *s)
{
    pli_release(s->memory, s->heap);
    s->heap = NULL, s->count = s->capacity = 0;
}
