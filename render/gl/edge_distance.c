// Each vertex takes the nearest marked edge from its neighbours, as in vector distance transforms (Danielsson 1980). A triangle then
// uses the lines of its corners' edges, since the distance itself is not linear where the nearest edge changes within it.
#include "gl/edge_distance.h"

#include <pliant/math.h>

#include <stdlib.h>

enum { NONE = -1 };
static const float far_away = 1e6f;

// An edge number is the corner of the triangles where the edge starts; it ends at the next corner of the same triangle.
static int32_t start_of(const pli_topology *t, int32_t edge) { return t->triangles[edge]; }
static int32_t end_of(const pli_topology *t, int32_t edge) { return t->triangles[edge % 3 == 2 ? edge - 2 : edge + 1]; }

static pli_vec3 at(const pli_topology *t, int32_t vertex)
{
    const float *p = t->positions + 3 * (size_t)vertex;
    return (pli_vec3){p[0], p[1], p[2]};
}

// Distance of a vertex from an edge, or from the line through it.
static float distance(const pli_topology *t, int32_t vertex, int32_t edge, bool line)
{
    const pli_vec3 a = at(t, start_of(t, edge)), along = pli_sub(at(t, end_of(t, edge)), a);
    const pli_vec3 from = pli_sub(at(t, vertex), a);
    const float square = pli_dot(along, along), share = square > 0.0f ? pli_dot(from, along) / square : 0.0f;
    const float used = line ? share : fminf(fmaxf(share, 0.0f), 1.0f);
    const pli_vec3 off = pli_sub(from, pli_scale(along, used));
    return sqrtf(pli_dot(off, off));
}

// One pass over the triangles, in either direction; returns whether any vertex has found a nearer edge.
static bool spread(const pli_topology *t, float width, bool backwards, int32_t *nearest, float *ways)
{
    bool changed = false;
    for (int32_t n = 0; n < t->triangle_count; n++) {
        const int32_t *corners = t->triangles + 3 * (size_t)(backwards ? t->triangle_count - 1 - n : n);
        for (int k = 0; k < 6; k++) {
            const int32_t from = corners[k % 3], to = corners[(k + 1 + k / 3) % 3], edge = nearest[from];
            if (edge == NONE || edge == nearest[to] || !(ways[from] < width))
                continue;
            const float way = distance(t, to, edge, false);
            if (!(way < ways[to] * (1.0f - 1e-5f)))
                continue;
            ways[to] = way, nearest[to] = edge;
            changed = true;
        }
    }
    return changed;
}

static void put_triangle(const pli_topology *t, int32_t triangle, const uint8_t *marks, uint8_t which,
                         const int32_t *nearest, float *distances)
{
    const int32_t first = 3 * triangle;
    int32_t edges[3], any = NONE;
    for (int32_t k = 0; k < 3; k++) {
        edges[k] = marks[first + k] & which ? first + k : nearest[t->triangles[first + k]];
        any = edges[k] == NONE ? any : edges[k];
    }
    for (int32_t corner = 0; corner < 3; corner++)
        for (int32_t k = 0; k < 3; k++)
            distances[3 * corner + k] = any == NONE ? far_away
                                                    : distance(t, t->triangles[first + corner],
                                                               edges[k] == NONE ? any : edges[k], true);
}

bool pli_edge_distances(const pli_topology *t, const uint8_t *marks, uint8_t which, float width, float *distances)
{
    int32_t *nearest = malloc(((size_t)t->vertex_count + 1) * sizeof *nearest);
    float *ways = malloc(((size_t)t->vertex_count + 1) * sizeof *ways);
    for (int32_t v = 0; nearest && ways && v < t->vertex_count; v++)
        nearest[v] = NONE, ways[v] = far_away;
    for (int32_t edge = 0; nearest && ways && edge < 3 * t->triangle_count; edge++) {
        if (!(marks[edge] & which))
            continue;
        nearest[start_of(t, edge)] = nearest[end_of(t, edge)] = edge;
        ways[start_of(t, edge)] = ways[end_of(t, edge)] = 0.0f;
    }
    for (bool backwards = false; nearest && ways && spread(t, width, backwards, nearest, ways);
         backwards = !backwards) {
        // Until nothing changes.
    }
    for (int32_t k = 0; nearest && ways && k < t->triangle_count; k++)
        put_triangle(t, k, marks, which, nearest, distances + 9 * (size_t)k);
    const bool made = nearest && ways;
    free(nearest);
    free(ways);
    return made;
}
