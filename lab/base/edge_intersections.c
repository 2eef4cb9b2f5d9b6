// Finds edges that intersect triangles: candidates by sorting along an axis, then the signs of five volumes.
#include "base/edge_intersections.h"

#include <pliant/math.h>

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

// Surfaces in one: positions in the world, edges and triangles. Vertices from `free_count` on are those of colliders.
typedef struct surface {
    float *positions;
    int32_t *edges, *triangles;
    int32_t vertex_count, edge_count, triangle_count, free_count;
} surface;

static void *append(void *array, int32_t count, const int32_t *indices, int32_t more, int32_t shift)
{
    int32_t *grown = lab_grow(array, (size_t)(count + more) + 1, sizeof *grown);
    for (int32_t i = 0; i < more; i++)
        grown[count + i] = indices[i] + shift;
    return grown;
}

static void add_surface(surface *s, const pli_mesh *mesh, pli_view vertices, pli_transform pose)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    s->edges = append(s->edges, 2 * s->edge_count, t->edges, 2 * t->edge_count, s->vertex_count);
    s->triangles = append(s->triangles, 3 * s->triangle_count, t->triangles, 3 * t->triangle_count, s->vertex_count);
    s->positions = lab_grow(s->positions, 3 * (size_t)(s->vertex_count + vertices.count) + 1, sizeof *s->positions);
    for (int32_t i = 0; i < vertices.count; i++) {
        const float *v = pli_view_at(vertices, i);
        pli_vec3 at = pli_add(pli_rotate(pose.rotation, (pli_vec3){v[0], v[1], v[2]}), pose.position);
        float *to = &s->positions[3 * (size_t)(s->vertex_count + i)];
        to[0] = at.x, to[1] = at.y, to[2] = at.z;
    }
    s->vertex_count += vertices.count;
    s->edge_count += t->edge_count;
    s->triangle_count += t->triangle_count;
}

static void add_deformable(lab *l, surface *s, pli_world *world, pli_deformable deformable)
{
    const pli_transform nowhere = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    const pli_mesh *mesh;
    pli_error error;
    lab_note(l, pli_deformable_get_mesh(world, deformable, &mesh, &error), &error);
    if (lab_ok(l))
        add_surface(s, mesh, pli_deformable_positions(world, deformable), nowhere);
    s->free_count = s->vertex_count;
}

static void add_collider(lab *l, surface *s, pli_world *world, pli_collider collider)
{
    pli_collider_def def;
    pli_error error;
    lab_note(l, pli_collider_get_def(world, collider, &def, &error), &error);
    lab_note(l, pli_collider_pose(world, collider, &def.pose, &error), &error);
    if (lab_ok(l) && def.mask != 0 && pli_shape_at((int32_t)def.shape)->takes_mesh)
        add_surface(s, pli_collider_mesh(world, collider), pli_collider_vertices(world, collider), def.pose);
}

static int32_t count_crossings(lab *l, const surface *s)
{
    int32_t mark = lab_mark(l), found = 0, first = 0;
    span *edges = spans_of(l, s->positions, s->edges, s->edge_count, 2);
    span *triangles = spans_of(l, s->positions, s->triangles, s->triangle_count, 3);
    float widest = 0.0f;
    for (int32_t i = 0; i < s->triangle_count; i++)
        widest = fmaxf(widest, triangles[i].most - triangles[i].least);
    for (int32_t e = 0; e < s->edge_count; e++) {
        const int32_t *edge = &s->edges[2 * edges[e].index];
        while (first < s->triangle_count && triangles[first].least < edges[e].least - widest)
            first++;
        for (int32_t i = first; i < s->triangle_count && triangles[i].least <= edges[e].most; i++) {
            const int32_t *corners = &s->triangles[3 * triangles[i].index];
            bool fixed = edge[0] >= s->free_count && corners[0] >= s->free_count;
            found += triangles[i].most >= edges[e].least && !fixed && !shares(edge, corners) &&
                     crosses(&s->positions[3 * edge[0]], &s->positions[3 * edge[1]], &s->positions[3 * corners[0]],
                             &s->positions[3 * corners[1]], &s->positions[3 * corners[2]]);
        }
    }
    lab_release_to(l, mark);
    return found;
}

static int32_t count_and_free(lab *l, surface *s)
{
    int32_t found = lab_ok(l) ? count_crossings(l, s) : 0;
    free(s->positions);
    free(s->edges);
    free(s->triangles);
    return found;
}

int32_t lab_crossings(lab *l, pli_world *world, pli_deformable deformable)
{
    surface s = {0};
    if (lab_ok(l))
        add_deformable(l, &s, world, deformable);
    return count_and_free(l, &s);
}

int32_t lab_crossings_all(lab *l, pli_world *world)
{
    surface s = {0};
    for (int32_t i = 0; lab_ok(l) && i < pli_world_deformable_count(world); i++)
        add_deformable(l, &s, world, pli_world_deformable_at(world, i));
    for (int32_t i = 0; lab_ok(l) && i < pli_world_collider_count(world); i++)
        add_collider(l, &s, world, pli_world_collider_at(world, i));
    return count_and_free(l, &s);
}
