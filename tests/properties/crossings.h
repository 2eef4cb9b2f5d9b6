// Counts edges that go through triangles, by looking at every pair that may touch, in double: the oracle of contact.
#ifndef PLIANT_TESTS_CROSSINGS_H
#define PLIANT_TESTS_CROSSINGS_H

#include "worlds.h"

typedef struct shell {
    vec *at;
    int32_t vertex_count, triangle_count;
    int32_t *triangles; // Triangles of all surfaces; the first `cloth` belong to deformables.
    int32_t cloth;
    int32_t *passes; // [triangle_count] The deformable of a triangle if nothing keeps it from its others, or else -1.
} shell;

static UNUSED double volume_of(vec a, vec b, vec c, vec d) { return dot(cross(sub(b, a), sub(c, a)), sub(d, a)); }

static UNUSED void shell_add(shell *s, const vec *at, int32_t count, const int32_t *triangles, int32_t triangle_count,
                             int32_t passes)
{
    s->at = realloc(s->at, sizeof *s->at * (size_t)(s->vertex_count + count));
    memcpy(s->at + s->vertex_count, at, sizeof *at * (size_t)count);
    s->triangles = realloc(s->triangles, sizeof *s->triangles * 3 * (size_t)(s->triangle_count + triangle_count));
    for (int32_t i = 0; i < 3 * triangle_count; i++)
        s->triangles[3 * s->triangle_count + i] = triangles[i] + s->vertex_count;
    s->passes = realloc(s->passes, sizeof *s->passes * (size_t)(s->triangle_count + triangle_count));
    for (int32_t f = 0; f < triangle_count; f++)
        s->passes[s->triangle_count + f] = passes;
    s->vertex_count += count;
    s->triangle_count += triangle_count;
}

// Nothing keeps a deformable from going through itself where its definition does not ask for self-collision.
static UNUSED bool collides_with_itself(const pli_world *world, pli_deformable deformable)
{
    pli_deformable_def def;
    must(pli_deformable_get_def(world, deformable, &def, &problem));
    return def.self_collision;
}

// All that may touch in a world, relative to its origin: deformables, then mesh colliders and hulls, on bodies too.
static UNUSED shell shell_of(const pli_world *world)
{
    shell s = {0};
    vec *at = NULL;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_deformable d = pli_world_deformable_at(world, i);
        int32_t count = vertex_count_of(world, d);
        const pli_topology *t = pli_mesh_topology(pli_deformable_rest_mesh(world, d));
        const pli_view local = pli_deformable_local_positions(world, d);
        at = realloc(at, sizeof *at * (size_t)count);
        for (int32_t v = 0; v < count; v++)
            at[v] = vec_of_floats(pli_view_at(local, v));
        shell_add(&s, at, count, pli_deformable_triangles(world, d), t->triangle_count,
                  collides_with_itself(world, d) ? -1 : i);
    }
    s.cloth = s.triangle_count;
    for (int32_t i = 0; i < pli_world_collider_count(world); i++) {
        pli_collider c = pli_world_collider_at(world, i);
        pli_view view = pli_collider_vertices(world, c);
        if (view.count == 0)
            continue;
        float *placed = malloc(3 * sizeof *placed * (size_t)view.count);
        must(pli_collider_get_placed_vertices(world, c, placed, view.count, &problem));
        at = realloc(at, sizeof *at * (size_t)view.count);
        for (int32_t v = 0; v < view.count; v++)
            at[v] = vec_of_floats(placed + 3 * v);
        free(placed);
        const pli_topology *t = pli_mesh_topology(pli_collider_mesh(world, c));
        shell_add(&s, at, view.count, t->triangles, t->triangle_count, -1);
    }
    free(at);
    return s;
}

static UNUSED void shell_release(shell *s)
{
    free(s->at);
    free(s->triangles);
    free(s->passes);
}

static UNUSED bool apart_on_axis(const double *a, const double *b)
{
    double low = fmin(fmin(b[0], b[1]), b[2]), high = fmax(fmax(b[0], b[1]), b[2]);
    return (a[0] < low && a[1] < low) || (a[0] > high && a[1] > high);
}

static UNUSED bool pierces(vec a, vec b, vec c, vec d, vec e)
{
    const double x[2] = {a.x, b.x}, y[2] = {a.y, b.y}, z[2] = {a.z, b.z};
    const double tx[3] = {c.x, d.x, e.x}, ty[3] = {c.y, d.y, e.y}, tz[3] = {c.z, d.z, e.z};
    if (apart_on_axis(x, tx) || apart_on_axis(y, ty) || apart_on_axis(z, tz))
        return false;
    if ((volume_of(c, d, e, a) > 0.0) == (volume_of(c, d, e, b) > 0.0))
        return false;
    double p = volume_of(a, b, c, d), q = volume_of(a, b, d, e), r = volume_of(a, b, e, c);
    return (p > 0.0 && q > 0.0 && r > 0.0) || (p < 0.0 && q < 0.0 && r < 0.0);
}

typedef struct box {
    vec low, high;
} box;

static UNUSED box box_about(vec a, vec b, vec c)
{
    return (box){{fmin(fmin(a.x, b.x), c.x), fmin(fmin(a.y, b.y), c.y), fmin(fmin(a.z, b.z), c.z)},
                 {fmax(fmax(a.x, b.x), c.x), fmax(fmax(a.y, b.y), c.y), fmax(fmax(a.z, b.z), c.z)}};
}

// Then no edge of one goes through the other, as `pierces` would say of each.
static UNUSED bool boxes_apart(const box *a, const box *b)
{
    return a->high.x < b->low.x || b->high.x < a->low.x || a->high.y < b->low.y || b->high.y < a->low.y ||
           a->high.z < b->low.z || b->high.z < a->low.z;
}

// Edges of triangle g through triangle f, but for those that share a corner with it.
static UNUSED int32_t crossings_between(const shell *s, int32_t f, int32_t g)
{
    const int32_t *t = s->triangles + 3 * f;
    int32_t count = 0;
    for (int32_t k = 0; k < 3; k++) {
        int32_t a = s->triangles[3 * g + k], b = s->triangles[3 * g + (k + 1) % 3];
        if (a == t[0] || a == t[1] || a == t[2] || b == t[0] || b == t[1] || b == t[2])
            continue;
        count += pierces(s->at[a], s->at[b], s->at[t[0]], s->at[t[1]], s->at[t[2]]);
    }
    return count;
}

static UNUSED bool may_pass(const shell *s, int32_t f, int32_t g)
{
    return s->passes[f] >= 0 && s->passes[f] == s->passes[g];
}

static UNUSED int32_t crossings(const pli_world *world)
{
    shell s = shell_of(world);
    box *boxes = malloc(sizeof *boxes * (size_t)(s.triangle_count + 1));
    for (int32_t f = 0; f < s.triangle_count; f++) {
        const int32_t *t = s.triangles + 3 * f;
        boxes[f] = box_about(s.at[t[0]], s.at[t[1]], s.at[t[2]]);
    }
    int32_t count = 0;
    for (int32_t f = 0; f < s.triangle_count; f++) {
        box about = boxes[f];
        for (int32_t g = 0; g < (f < s.cloth ? s.triangle_count : s.cloth); g++)
            if (f != g && !boxes_apart(&about, &boxes[g]) && !may_pass(&s, f, g))
                count += crossings_between(&s, f, g);
    }
    free(boxes);
    shell_release(&s);
    return count;
}

#endif
