// Finds edges that intersect triangles: candidates by sorting along an axis, then the signs of five volumes.
#include "lab/edge_intersections.h"

#include <math.h>
#include <stdlib.h>

typedef struct span {
    float least, most;
    int32_t index;
} span;

static int by_least(const void *a, const void *b)
{
    const span *left = a, *right = b;
    return (left->least > right->least) - (left->least < right->least);
}

static double volume(const float *a, const float *b, const float *c, const float *d)
{
    double u[3], v[3], w[3];
    for (int32_t k = 0; k < 3; k++) {
        u[k] = (double)b[k] - (double)a[k];
        v[k] = (double)c[k] - (double)a[k];
        w[k] = (double)d[k] - (double)a[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

static bool crosses(const float *p, const float *q, const float *a, const float *b, const float *c)
{
    double above = volume(a, b, c, p), below = volume(a, b, c, q);
    if (!(above * below < 0.0))
        return false;
    double ab = volume(p, q, a, b), bc = volume(p, q, b, c), ca = volume(p, q, c, a);
    return (ab > 0.0 && bc > 0.0 && ca > 0.0) || (ab < 0.0 && bc < 0.0 && ca < 0.0);
}

static span *spans_of(lab *l, const float *positions, const int32_t *vertices, int32_t count, int32_t corners)
{
    span *spans = lab_memory(l, (size_t)count, sizeof *spans);
    for (int32_t i = 0; i < count; i++) {
        spans[i] = (span){INFINITY, -INFINITY, i};
        for (int32_t k = 0; k < corners; k++) {
            float x = positions[3 * vertices[corners * i + k]];
            spans[i].least = fminf(spans[i].least, x);
            spans[i].most = fmaxf(spans[i].most, x);
        }
    }
    qsort(spans, (size_t)count, sizeof *spans, by_least);
    return spans;
}

static bool shares(const int32_t *edge, const int32_t *triangle)
{
    for (int32_t k = 0; k < 3; k++)
        if (triangle[k] == edge[0] || triangle[k] == edge[1])
            return true;
    return false;
}

int32_t lab_crossings(lab *l, pli_world *world, pli_deformable deformable)
{
    const pli_mesh *mesh;
    pli_error error;
    if (!lab_ok(l))
        return 0;
    lab_note(l, pli_deformable_get_mesh(world, deformable, &mesh, &error), &error);
    if (!lab_ok(l))
        return 0;
    int32_t mark = lab_mark(l), found = 0, first = 0;
    const pli_topology *t = pli_mesh_topology(mesh);
    pli_view view = pli_deformable_positions(world, deformable);
    float *positions = lab_memory(l, 3 * (size_t)view.count, sizeof *positions);
    for (int32_t i = 0; i < 3 * view.count; i++)
        positions[i] = pli_view_at(view, i / 3)[i % 3];
    span *edges = spans_of(l, positions, t->edges, t->edge_count, 2);
    span *triangles = spans_of(l, positions, t->triangles, t->triangle_count, 3);
    float widest = 0.0f;
    for (int32_t i = 0; i < t->triangle_count; i++)
        widest = fmaxf(widest, triangles[i].most - triangles[i].least);
    for (int32_t e = 0; e < t->edge_count; e++) {
        const int32_t *edge = &t->edges[2 * edges[e].index];
        while (first < t->triangle_count && triangles[first].least < edges[e].least - widest)
            first++;
        for (int32_t i = first; i < t->triangle_count && triangles[i].least <= edges[e].most; i++) {
            const int32_t *corners = &t->triangles[3 * triangles[i].index];
            found += triangles[i].most >= edges[e].least && !shares(edge, corners) &&
                     crosses(&positions[3 * edge[0]], &positions[3 * edge[1]], &positions[3 * corners[0]],
                             &positions[3 * corners[1]], &positions[3 * corners[2]]);
        }
    }
    lab_release_to(l, mark);
    return found;
}
