// Pairs of deformables with colliders: triangles ask the collider's hierarchy, and primitives are
// taken from the triangles that own them, so that each pair is looked at once.
#include "collision/tangle.h"

typedef struct asking {
    pli_find *find;
    int32_t surface, triangle, collider;
    pli_bounds box; // Of the triangle, grown.
    pli_pair *out;
    int32_t room, count;
    bool complete;
} asking;

static pli_bounds collider_box(void *data, int32_t triangle)
{
    const asking *a = data;
    return pli_find_triangle_box(a->find, a->find->space->surfaces[a->collider], triangle);
}

static void keep(asking *a, pli_pair *pair)
{
    if (!pli_find_complete(a->find, pair))
        return;
    if (a->count < a->room)
        a->out[a->count] = *pair;
    a->count++;
}

static void vertices_and_triangles(asking *a, int32_t other)
{
    const pli_surface *s = a->find->space->surfaces[a->surface], *c = a->find->space->surfaces[a->collider];
    pli_pair pair;
    for (int k = 0; k < 3; k++) {
        if (s->owned[a->triangle] & 1 << k) {
            pli_find_vertex_triangle(a->find, &pair, a->surface, s->triangles[3 * a->triangle + k], a->collider, other);
            keep(a, &pair);
        }
        if (c->owned[other] & 1 << k) {
            pli_find_vertex_triangle(a->find, &pair, a->collider, c->triangles[3 * other + k], a->surface, a->triangle);
            keep(a, &pair);
        }
    }
}

static void edges(asking *a, int32_t other)
{
    const pli_surface *s = a->find->space->surfaces[a->surface], *c = a->find->space->surfaces[a->collider];
    pli_pair pair;
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++) {
            if (!(s->owned[a->triangle] & 8 << k) || !(c->owned[other] & 8 << m))
                continue;
            pli_find_edge_edge(a->find, &pair, a->surface, s->side_edges[3 * a->triangle + k], a->collider,
                               c->side_edges[3 * other + m]);
            keep(a, &pair);
        }
}

static void found_triangle(void *data, int32_t other)
{
    asking *a = data;
    if (!pli_bounds_meet(a->box, collider_box(a, other)))
        return;
    vertices_and_triangles(a, other);
    edges(a, other);
}

static void ask_chunk(void *data, int32_t chunk, pli_pair *out, int32_t room, int32_t *count)
{
    pli_find *f = data;
    const pli_space *space = f->space;
    asking a = {.find = f, .out = out, .room = room};
    int32_t all = f->triangle_bases[f->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t i = chunk * PLI_FIND_GRAIN; i < end; i++) {
        a.surface = pli_find_owner(f->triangle_bases, f->surface_count, i);
        a.triangle = i - f->triangle_bases[a.surface];
        a.box = pli_bounds_grow(pli_find_triangle_box(f, space->surfaces[a.surface], a.triangle), f->reach);
        for (a.collider = f->surface_count; a.collider < space->surface_count; a.collider++)
            if (pli_space_meet(space, a.surface, a.collider))
                pli_bvh_query(space->trees[a.collider], a.box, found_triangle, &a);
    }
    *count = a.count;
}

// A collider that stays where it is keeps its boxes, so that its size costs nothing.
static void refit_all(pli_find *f)
{
    asking a = {.find = f};
    for (a.collider = f->surface_count; a.collider < f->space->surface_count; a.collider++) {
        pli_surface *s = f->space->surfaces[a.collider];
        if (s->fitted && !s->moving)
            continue;
        pli_bvh_refit(f->space->trees[a.collider], collider_box, &a);
        s->fitted = !s->moving;
    }
}

bool pli_find_colliders(pli_find *f)
{
    f->common = (pli_vec3){0, 0, 0};
    refit_all(f);
    int32_t chunks = (f->triangle_bases[f->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
    return pli_find_gather(f, &f->space->lists[PLI_LIST_COLLIDERS], chunks, ask_chunk);
}

static void look_at(asking *a, pli_tangle t)
{
    if (pli_tangle_look(a->find, &t))
        a->complete = pli_tangle_add(a->find->space, &t) && a->complete;
}

static void found_for_tangles(void *data, int32_t other)
{
    asking *a = data;
    const pli_surface *s = a->find->space->surfaces[a->surface], *c = a->find->space->surfaces[a->collider];
    for (int k = 0; k < 3; k++) {
        if (s->owned[a->triangle] & 8 << k)
            look_at(a, (pli_tangle){.edge_surface = a->surface, .edge_index = s->side_edges[3 * a->triangle + k],
                                    .triangle_surface = a->collider, .triangle_index = other});
        if (c->owned[other] & 8 << k)
            look_at(a, (pli_tangle){.edge_surface = a->collider, .edge_index = c->side_edges[3 * other + k],
                                    .triangle_surface = a->surface, .triangle_index = a->triangle});
    }
}

bool pli_tangle_colliders(pli_find *f)
{
    const pli_space *space = f->space;
    asking a = {.find = f, .complete = true};
    refit_all(f);
    for (a.surface = 0; a.surface < f->surface_count; a.surface++)
        for (a.triangle = 0; a.triangle < space->surfaces[a.surface]->triangle_count; a.triangle++) {
            pli_bounds box = pli_find_triangle_box(f, space->surfaces[a.surface], a.triangle);
            for (a.collider = f->surface_count; a.collider < space->surface_count; a.collider++)
                if (pli_space_meet(space, a.surface, a.collider))
                    pli_bvh_query(space->trees[a.collider], box, found_for_tangles, &a);
        }
    return a.complete;
}
