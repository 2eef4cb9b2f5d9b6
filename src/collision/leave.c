// Particles inside of closed colliders are moved out to where the surface is nearest: Mueller et al.
// 2006, section 3.4, the static case. They go some of the way in each substep, so that a deep cloth
// comes out in one piece, and no velocity comes of it.
#include "collision/inside.h"

// What a particle goes in a second: of its depth, and of mean edges of its cloth.
#define DEPTH_RATE 6.0
#define EDGE_RATE 6.0
// How far beyond the surface it is put: of the distance that contact keeps, and of a mean edge.
#define KEPT_SHARE 0.1
#define EDGE_SHARE 1e-3

static bool can_hold(const pli_space *space, int32_t body, int32_t solid)
{
    const pli_surface *s = space->surfaces[solid];
    return s->collider && s->closed && s->triangle_count > 0 && pli_space_meet(space, body, solid);
}

static bool is_tied(const pli_space *space, int32_t i, int32_t solid)
{
    const pli_rigid *rigid = space->surfaces[solid]->rigid;
    return rigid && space->tied && space->tied[i] == rigid->id;
}

// The way of the surface where it is nearest, in this substep.
static pli_dvec3 way_there(const pli_space *space, const pli_surface *s, const pli_nearest *nearest)
{
    pli_dvec3 way = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        way = pli_dsub(way, pli_dscale(pli_way_of(space, s->first + s->triangles[3 * nearest->triangle + k]),
                                       nearest->closest.weights[1 + k]));
    return way;
}

static pli_dvec3 face_normal(const pli_space *space, const pli_surface *s, int32_t triangle)
{
    pli_dvec3 at[3];
    for (int k = 0; k < 3; k++) {
        const pli_particle *p = &space->previous[s->first + s->triangles[3 * triangle + k]];
        at[k] = (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
    }
    pli_dvec3 normal = pli_dcross(pli_dsub(at[1], at[0]), pli_dsub(at[2], at[0]));
    double length = pli_dlength(normal);
    return length > 0.0 ? pli_dscale(normal, 1.0 / length) : (pli_dvec3){0, 1, 0};
}

// Moves a particle towards the way out, and stops it from going further in.
static void move_out(pli_space *space, int32_t i, const pli_surface *body, const pli_surface *solid,
                     const pli_nearest *nearest)
{
    double depth = sqrt(nearest->closest.square), edge = (double)body->mean_edge;
    double kept = (double)body->material.thickness + (double)solid->material.thickness;
    pli_dvec3 out = depth > 1e-6 * edge ? pli_dscale(nearest->closest.apart, -1.0 / depth)
                                        : face_normal(space, solid, nearest->triangle);
    double beyond = fmax(KEPT_SHARE * kept, EDGE_SHARE * edge);
    double by = fmin(depth + beyond, (DEPTH_RATE * depth + EDGE_RATE * edge) * (double)space->step);
    double inwards = fmax(pli_ddot(out, pli_dsub(way_there(space, solid, nearest), pli_way_of(space, i))), 0.0);
    pli_particle *p = &space->particles[i], *q = &space->previous[i];
    q->x += (float)(by * out.x), q->y += (float)(by * out.y), q->z += (float)(by * out.z);
    by += inwards;
    p->x += (float)(by * out.x), p->y += (float)(by * out.y), p->z += (float)(by * out.z);
}

// The collider that a particle is inside of, -1 for none.
static int32_t holder_of(const pli_find *f, int32_t body, int32_t i)
{
    const pli_space *space = f->space;
    pli_vec3 point = pli_place_of(&space->previous[i]);
    for (int32_t solid = 0; solid < space->surface_count; solid++)
        if (can_hold(space, body, solid) && !is_tied(space, i, solid) && pli_inside(space, solid, point))
            return solid;
    return -1;
}

static void leave_chunk(void *data, int32_t chunk)
{
    const pli_find *f = data;
    pli_space *space = f->space;
    int32_t all = f->vertex_bases[f->surface_count], found = 0;
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t item = chunk * PLI_FIND_GRAIN; item < end; item++) {
        int32_t body = pli_find_owner(f->vertex_bases, f->surface_count, item);
        const pli_surface *s = space->surfaces[body];
        int32_t i = s->first + item - f->vertex_bases[body];
        int32_t solid = s->collider ? -1 : holder_of(f, body, i);
        space->within[i] = solid + 1;
        if (solid < 0)
            continue;
        pli_nearest nearest = pli_inside_nearest(space, solid, pli_place_of(&space->previous[i]));
        if (space->particles[i].w > 0.0f)
            move_out(space, i, s, space->surfaces[solid], &nearest);
        found++;
    }
    space->chunk_counts[chunk] = found;
}

static bool any_can_hold(const pli_space *space, int32_t body_count)
{
    for (int32_t body = 0; body < body_count; body++)
        for (int32_t solid = 0; solid < space->surface_count; solid++)
            if (!space->surfaces[body]->collider && can_hold(space, body, solid))
                return true;
    return false;
}

typedef struct boxing {
    const pli_space *space;
    const pli_surface *surface;
} boxing;

static pli_bounds triangle_box(void *data, int32_t triangle)
{
    const boxing *b = data;
    pli_bounds box = pli_bounds_empty();
    for (int k = 0; k < 3; k++)
        pli_bounds_include(&box, pli_place_of(&b->space->previous[b->surface->first + b->surface->triangles[3 * triangle + k]]));
    return box;
}

// A collider that stays where it is keeps its boxes, so that its size costs nothing.
static void refit_trees(pli_space *space)
{
    for (int32_t i = 0; i < space->surface_count; i++) {
        pli_surface *s = space->surfaces[i];
        boxing b = {space, s};
        if (!space->trees[i] || (s->fitted && !s->moving))
            continue;
        pli_bvh_refit(space->trees[i], triangle_box, &b);
        s->fitted = !s->moving;
    }
}

bool pli_inside_leave(pli_find *f)
{
    pli_space *space = f->space;
    int32_t chunks = (f->vertex_bases[f->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
    space->within_count = 0;
    if (!any_can_hold(space, f->surface_count))
        return true;
    refit_trees(space);
    if (!pli_reserve(space->memory, &space->within, &space->within_capacity, space->particle_count, sizeof(int32_t)) ||
        !pli_reserve(space->memory, &space->chunk_counts, &space->chunk_capacity, chunks, sizeof(int32_t)))
        return false;
    for (int32_t i = 0; i < space->particle_count; i++)
        space->within[i] = 0;
    pli_tasks_run(space->tasks, chunks, leave_chunk, f);
    for (int32_t chunk = 0; chunk < chunks; chunk++)
        space->within_count += space->chunk_counts[chunk];
    return true;
}
