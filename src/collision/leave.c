#include "collision/leave.h"

#include "collision/inside.h"
#include "collision/pull.h"

// What a particle goes in a second: of its depth, and of mean edges of its cloth.
#define DEPTH_RATE 6.0
#define EDGE_RATE 6.0
// How far beyond the surface it is put: of the distance that contact keeps, and of a mean edge.
#define KEPT_SHARE 0.1
#define EDGE_SHARE 1e-3
// Of a mean edge, the depth down to which it is held: what leaves on opposite sides from the middle would
// tear the cloth between.
#define HELD_SHARE 1.0

static bool has_inside(const pli_surface *s) { return s->collider && s->closed && s->triangle_count > 0; }

static bool can_hold(const pli_space *space, int32_t body, int32_t solid)
{
    return has_inside(space->surfaces[solid]) && pli_space_meet(space, body, solid);
}

static bool is_tied(const pli_space *space, int32_t i, int32_t solid)
{
    const pli_rigid *rigid = space->surfaces[solid]->rigid;
    return rigid && space->tied && space->tied[i] == rigid->id;
}

static int32_t body_of(const pli_find *f, int32_t i)
{
    int32_t body = 0;
    while (i < f->space->surfaces[body]->first ||
           i >= f->space->surfaces[body]->first + f->space->surfaces[body]->vertex_count)
        body++;
    return body;
}

// Moves a particle some of the way out, to where the surface is nearest.
static void move_out(const pli_find *f, int32_t i, pli_touch *hold)
{
    pli_space *space = f->space;
    int32_t surfaces[2] = {body_of(f, i), space->untangle.within.items[i] - 1}, corners[3];
    const pli_surface *body = space->surfaces[surfaces[0]], *solid = space->surfaces[surfaces[1]];
    pli_nearest nearest = pli_inside_nearest(space, surfaces[1], pli_place_of(&space->previous[i]));
    double depth = sqrt(nearest.closest.square), edge = (double)body->mean_edge, weights[3];
    double kept = (double)body->material.thickness + (double)solid->material.thickness;
    for (int k = 0; k < 3; k++) {
        corners[k] = solid->first + solid->triangles[3 * nearest.triangle + k];
        weights[k] = -nearest.closest.weights[1 + k];
    }
    pli_dvec3 out = {0, 1, 0};
    if (depth > 1e-6 * edge)
        out = pli_dscale(nearest.closest.apart, -1.0 / depth);
    else
        pli_normal_at_start(space, corners, &out);
    double beyond = fmax(KEPT_SHARE * kept, EDGE_SHARE * edge);
    double by = fmin(depth + beyond, (DEPTH_RATE * depth + EDGE_RATE * edge) * (double)space->step);
    if (space->particles[i].w > 0.0f)
        pli_space_shift(space, i, pli_dscale(out, by));
    hold->split = 0;
    if (depth <= HELD_SHARE * edge)
        *hold = pli_hold_of(i, corners, weights, out, surfaces);
}

// What holds a particle of a body.
typedef struct holding {
    const pli_space *space;
    int32_t body, particle, holder;
} holding;

static bool found_solid(void *data, int32_t solid)
{
    holding *h = data;
    if (can_hold(h->space, h->body, solid) && !is_tied(h->space, h->particle, solid) &&
        pli_inside(h->space, solid, pli_place_of(&h->space->previous[h->particle])))
        h->holder = solid;
    return h->holder < 0;
}

// The first collider that a particle is inside of, -1 for none.
static int32_t holder_of(const pli_space *space, int32_t body, int32_t i)
{
    holding h = {space, body, i, -1};
    pli_vec3 point = pli_place_of(&space->previous[i]);
    const pli_passage box = {{point, point}, {point, point}};
    pli_box_tree_query(&space->around, space->near, &box, 0, found_solid, &h);
    return h.holder;
}

static void find_chunk(void *data, int32_t chunk)
{
    const pli_find *f = data;
    pli_space *space = f->space;
    int32_t all = f->vertex_bases[f->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t item = chunk * PLI_FIND_GRAIN; item < end; item++) {
        int32_t body = pli_find_owner(f->vertex_bases, f->surface_count, item);
        const pli_surface *s = space->surfaces[body];
        int32_t i = s->first + item - f->vertex_bases[body];
        space->untangle.within.items[i] = s->collider ? 0 : holder_of(space, body, i) + 1;
    }
}

static void leave_chunk(void *data, int32_t chunk)
{
    const pli_find *f = data;
    pli_space *space = f->space;
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN;
    end = end < space->untangle.within_count ? end : space->untangle.within_count;
    for (int32_t k = chunk * PLI_FIND_GRAIN; k < end; k++)
        move_out(f, space->untangle.leaving[k], &space->contacts.holds.items[k]);
}

static bool any_can_hold(const pli_space *space, int32_t body_count)
{
    for (int32_t solid = 0; solid < space->surface_count; solid++)
        for (int32_t body = 0; body < body_count && has_inside(space->surfaces[solid]); body++)
            if (!space->surfaces[body]->collider && can_hold(space, body, solid))
                return true;
    return false;
}

bool pli_inside_leave(pli_find *f)
{
    pli_space *space = f->space;
    space->untangle.within_count = 0;
    if (!any_can_hold(space, f->surface_count))
        return true;
    int32_t count = space->particle_count;
    space->untangle.leaving = PLI_TAKE(&space->arena, int32_t, count);
    if (!space->untangle.leaving || !pli_array_reserve(space->memory, &space->untangle.within, count))
        return false;
    for (int32_t i = 0; i < count; i++)
        space->untangle.within.items[i] = 0;
    pli_tasks_run(space->tasks, (f->vertex_bases[f->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN, find_chunk,
                  f);
    for (int32_t i = 0; i < count; i++)
        if (space->untangle.within.items[i] > 0)
            space->untangle.leaving[space->untangle.within_count++] = i;
    if (!pli_holds_reserve(space, space->untangle.within_count))
        return false;
    pli_tasks_run(space->tasks, (space->untangle.within_count + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN, leave_chunk, f);
    for (int32_t k = 0; k < space->untangle.within_count; k++)
        if (space->contacts.holds.items[k].split > 0)
            space->contacts.holds.items[space->contacts.holds.count++] = space->contacts.holds.items[k];
    return true;
}
