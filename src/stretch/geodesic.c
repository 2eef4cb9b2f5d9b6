// Dijkstra's search, with fronts that cross triangles instead of following edges.
//
// A vertex hears of a source along an edge, or from two corners of a triangle: from their distances a point is made in
// the plane of the triangle that is as far from both, and the straight line from it is the way, if it passes between
// them.
//
//            u            The line from the point to u passes between v and w: |point u| is the length. Past v or w the
//           / \           way turns there, and what lies behind counts as `before`. Where all was flat since the last
//          /   \          turn the point is where the way turned, so that lengths in a plane are exact, also around
//         v-----w         holes; on curved surfaces, and where the corners heard from different turns, it is off, by the
//          .   .          figures of tests/properties/test_tethers.c.
//          point
//
// The construction of the point is that of Novotni and Klein 2002, Computing Geodesic Distances on Triangular Meshes;
// to keep turns apart is the idea of Mitchell, Mount, Papadimitriou 1987, The Discrete Geodesic Problem. Faces of more
// than three corners have no diagonals that would keep their shape: trajectories go along their edges.
#include "stretch/geodesic.h"

#include "base/vector.h"

#include <math.h>

// Lengths closer than this, relative, are the same.
static const double same = 1e-9;

typedef struct arrival {
    double length;
    int32_t vertex, group;
} arrival;

typedef struct search {
    pli_memory *memory;
    const pli_faces *faces;
    int32_t most;
    pli_contour_case *trajectories;
    arrival *heap;
    int32_t count, capacity;
    bool failed;
} search;

static pli_dvec3 position_of(const search *s, int32_t vertex)
{
    const float *p = s->faces->positions + 3 * vertex;
    return (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
}

static double straight(const search *s, int32_t a, int32_t b)
{
    return pli_dlength(pli_dsub(position_of(s, a), position_of(s, b)));
}

/* ---- what comes next ---------------------------------------------------------------------------- */

static bool sooner(const arrival *a, const arrival *b)
{
    return a->length < b->length || (a->length == b->length && a->vertex < b->vertex);
}

static void push(search *s, arrival item)
{
    if (!pli_reserve(s->memory, &s->heap, &s->capacity, (int64_t)s->count + 1, sizeof *s->heap)) {
        s->failed = true;
        return;
    }
    int32_t at = s->count++;
    for (int32_t above = (at - 1) / 2; at > 0 && sooner(&item, &s->heap[above]); at = above, above = (at - 1) / 2)
        s->heap[at] = s->heap[above];
    s->heap[at] = item;
}

static arrival pop(search *s)
{
    arrival first = s->heap[0], last = s->heap[--s->count];
    int32_t at = 0;
    for (;;) {
        int32_t below = 2 * at + 1;
        if (below + 1 < s->count && sooner(&s->heap[below + 1], &s->heap[below]))
            below++;
        if (below >= s->count || !sooner(&s->heap[below], &last))
            break;
        s->heap[at] = s->heap[below];
        at = below;
    }
    s->heap[at] = last;
    return first;
}

/* ---- trajectories to a vertex --------------------------------------------------------------------------- */

static pli_contour_case *trajectory_of(const search *s, int32_t vertex, int32_t group)
{
    pli_contour_case *trajectories = s->trajectories + (size_t)vertex * (size_t)s->most;
    for (int32_t k = 0; k < s->most; k++)
        if (trajectories[k].group == group)
            return &trajectories[k];
    return NULL;
}

// The way that a new one of its group takes the place of: its group's, a free one, or the longest.
static pli_contour_case *place_for(const search *s, int32_t vertex, const pli_contour_case *offered)
{
    pli_contour_case *trajectories = s->trajectories + (size_t)vertex * (size_t)s->most, *longest = &trajectories[0];
    pli_contour_case *own = trajectory_of(s, vertex, offered->group);
    if (own)
        return own;
    for (int32_t k = 0; k < s->most; k++) {
        if (trajectories[k].group < 0)
            return &trajectories[k];
        if (trajectories[k].length > longest->length)
            longest = &trajectories[k];
    }
    return longest;
}

// Of trajectories of one length the one that turned earlier is kept: it goes on straight for longer. Lengths never grow, so
// that the search ends.
static void offer(search *s, int32_t vertex, pli_contour_case trajectory)
{
    pli_contour_case *place = place_for(s, vertex, &trajectory);
    bool better = place->group < 0 || trajectory.length < place->length * (1.0 - same);
    if (!better && place->group == trajectory.group && trajectory.length <= place->length * (1.0 + same) &&
        trajectory.before < place->before - same * place->length) {
        trajectory.length = fmin(trajectory.length, place->length);
        better = true;
    }
    if (!better)
        return;
    *place = trajectory;
    push(s, (arrival){trajectory.length, vertex, trajectory.group});
}

static void offer_along(search *s, int32_t from, const pli_contour_case *trajectory, int32_t to)
{
    offer(s, to,
          (pli_contour_case){trajectory->length + straight(s, from, to), trajectory->length, from, trajectory->source,
                             trajectory->group});
}

// Both have trajectories of about the same length where fronts from two sources of a group meet.
static int32_t nearer_source(const search *s, int32_t vertex, int32_t a, int32_t b)
{
    return a == b || straight(s, vertex, a) <= straight(s, vertex, b) ? a : b;
}

// To u across the edge from v to w, both of which know a way.
static void offer_across(search *s, int32_t v, const pli_contour_case *a, int32_t w, const pli_contour_case *b,
                         int32_t u)
{
    pli_contour_case trajectory = {.turn = -1, .group = a->group, .source = nearer_source(s, u, a->source, b->source)};
    if (a->source == b->source && a->turn == b->turn && a->turn >= 0)
        trajectory.before = a->before, trajectory.turn = a->turn;
    else if (b->turn == v)
        trajectory.before = a->length, trajectory.turn = v;
    else if (a->turn == w)
        trajectory.before = b->length, trajectory.turn = w;
    pli_dvec3 along = pli_dsub(position_of(s, w), position_of(s, v)),
              up = pli_dsub(position_of(s, u), position_of(s, v));
    double edge = pli_dlength(along), to_v = a->length - trajectory.before, to_w = b->length - trajectory.before;
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
    trajectory.length = trajectory.before + sqrt((x - from_x) * (x - from_x) + (y + from_y) * (y + from_y));
    offer(s, u, trajectory);
}

// Past the corner v of a triangle, to the others.
static void cross_triangle(search *s, int32_t v, const int32_t *corners, int32_t group)
{
    int32_t k = corners[0] == v ? 0 : corners[1] == v ? 1 : 2;
    int32_t others[2] = {corners[(k + 1) % 3], corners[(k + 2) % 3]};
    for (int32_t i = 0; i < 2; i++) {
        // Offers may take the place of trajectories: each is looked up anew.
        const pli_contour_case *trajectory = trajectory_of(s, v, group);
        if (!trajectory)
            return;
        pli_contour_case here = *trajectory;
        offer_along(s, v, &here, others[i]);
        const pli_contour_case *other = trajectory_of(s, others[1 - i], group);
        pli_contour_case beside = other ? *other : here;
        if (other)
            offer_across(s, v, &here, others[1 - i], &beside, others[i]);
    }
}

static void follow_edges(search *s, int32_t v, int32_t face, int32_t group)
{
    int32_t begin = s->faces->face_offsets[face], size = s->faces->face_offsets[face + 1] - begin;
    const int32_t *corners = s->faces->face_vertices + begin;
    for (int32_t k = 0; k < size; k++) {
        const pli_contour_case *trajectory = trajectory_of(s, v, group);
        if (corners[k] != v || !trajectory)
            continue;
        pli_contour_case here = *trajectory;
        offer_along(s, v, &here, corners[(k + 1) % size]);
        offer_along(s, v, &here, corners[(k + size - 1) % size]);
    }
}

static void advance(search *s)
{
    arrival next = pop(s);
    const pli_faces *f = s->faces;
    const pli_contour_case *trajectory = trajectory_of(s, next.vertex, next.group);
    if (!trajectory || trajectory->length != next.length)
        return;
    for (int32_t i = f->triangle_begins[next.vertex]; i < f->triangle_ends[next.vertex]; i++) {
        int32_t triangle = f->vertex_triangles[i], face = f->triangle_faces[triangle];
        if (f->face_offsets[face + 1] - f->face_offsets[face] == 3)
            cross_triangle(s, next.vertex, f->triangles + 3 * triangle, next.group);
        else
            follow_edges(s, next.vertex, face, next.group);
    }
}

// The nearest first, equal ones by their group, and none shorter than a straight line.
static void settle(const search *s, int32_t vertex)
{
    pli_contour_case *trajectories = s->trajectories + (size_t)vertex * (size_t)s->most;
    for (int32_t k = 0; k < s->most; k++)
        if (trajectories[k].group >= 0)
            trajectories[k].length = fmax(trajectories[k].length, straight(s, vertex, trajectories[k].source));
    for (int32_t k = 1; k < s->most; k++) {
        pli_contour_case moved = trajectories[k];
        int32_t at = k;
        for (; at > 0 && moved.group >= 0 &&
               (trajectories[at - 1].group < 0 || moved.length < trajectories[at - 1].length ||
                (moved.length == trajectories[at - 1].length && moved.group < trajectories[at - 1].group));
             at--)
            trajectories[at] = trajectories[at - 1];
        trajectories[at] = moved;
    }
}

bool pli_geodesics(pli_memory *memory, const pli_faces *faces, const int32_t *groups, int32_t most,
                   pli_contour_case *trajectories)
{
    search s = {.memory = memory, .faces = faces, .most = most, .trajectories = trajectories};
    for (int64_t i = 0; i < (int64_t)faces->vertex_count * most; i++)
        trajectories[i] = (pli_contour_case){.group = -1, .source = -1, .turn = -1};
    for (int32_t v = 0; v < faces->vertex_count; v++)
        if (groups[v] >= 0)
            offer(&s, v, (pli_contour_case){0.0, 0.0, v, v, groups[v]});
    while (s.count > 0 && !s.failed)
        advance(&s);
    for (int32_t v = 0; v < faces->vertex_count; v++)
        settle(&s, v);
    pli_release(memory, s.heap);
    return !s.failed;
}
