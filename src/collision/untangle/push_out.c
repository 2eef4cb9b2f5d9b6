// Pushes particles out of closed colliders, by a part of their depth in each substep.
#include "collision/untangle/push_out.h"

#include "collision/untangle/inside.h"
#include "collision/untangle/pockets.h"
#include "collision/untangle/separate.h"

// Speed of a particle: the sum of these multiples of its depth and of the mean edge, per second [1/s].
#define DEPTH_RATE 6.0
#define PUSH_RATE 6.0
// Distance beyond the surface at which the push ends: a fraction of the rest distance, but at least a fraction of the mean edge.
#define REST_DISTANCE_SHARE 0.1
#define EDGE_SHARE 1e-3
// Greatest depth, in mean edges, with a one-sided contact. Deeper particles may leave on opposite sides, and such
// contacts would tear the cloth between them.
#define ONE_SIDED_SHARE 1.0

static bool has_inside(const pli_contact_mesh *s)
{
    return s->collider && (s->radius > 0.0f || (s->closed && s->triangle_count > 0));
}

static bool may_contain(const pli_collision *collision, int32_t deformable, int32_t collider)
{
    return has_inside(collision->surfaces[collider]) && pli_collision_surfaces_collide(collision, deformable, collider);
}

static bool is_attached(const pli_collision *collision, int32_t i, int32_t collider)
{
    const pli_rigid_body_data *rigid = collision->surfaces[collider]->rigid;
    return rigid && collision->attached_to && collision->attached_to[i] == rigid->id;
}

static int32_t deformable_of(const pli_find *f, int32_t i)
{
    int32_t deformable = 0;
    while (i < f->collision->surfaces[deformable]->first ||
           i >= f->collision->surfaces[deformable]->first + f->collision->surfaces[deformable]->vertex_count)
        deformable++;
    return deformable;
}

// Vector from the core of a round collider, a point or a segment, to a particle [m].
static pli_dvec3 from_core(const pli_collision *collision, const pli_contact_mesh *round, int32_t i)
{
    const pli_dvec3 at = pli_start_position(collision, i), low = pli_start_position(collision, round->first),
                    axis = pli_dsub(pli_start_position(collision, round->first + round->vertex_count - 1), low),
                    from = pli_dsub(at, low);
    const double square = pli_ddot(axis, axis),
                 share = square > 0.0 ? fmin(fmax(pli_ddot(from, axis) / square, 0.0), 1.0) : 0.0;
    return pli_dsub(from, pli_dscale(axis, share));
}

// A particle inside of a collider: the nearest point of the surface, and the direction of the push.
typedef struct pushed {
    int32_t surfaces[2]; // Indices of its deformable and of the collider.
    pli_nearest nearest;
    double depth, far; // Its depth, and the greatest depth of its pocket, which sets its speed.
    pli_dvec3 out;
} pushed;

static void push_find_way_out(const pli_find *f, int32_t i, pushed *p)
{
    const pli_collision *collision = f->collision;
    *p = (pushed){.surfaces = {deformable_of(f, i), collision->untangle.inside_of.items[i] - 1}, .out = {0, 1, 0}};
    const pli_contact_mesh *collider = collision->surfaces[p->surfaces[1]];
    int32_t corners[3];
    if (collider->radius > 0.0f) {
        const pli_contact_mesh *round = collision->surfaces[p->surfaces[1]];
        const pli_dvec3 from = from_core(collision, round, i);
        const double distance = pli_dlength(from);
        p->nearest.triangle = -1;
        p->depth = p->far = (double)round->radius - distance;
        if (distance > 0.0)
            p->out = pli_dscale(from, 1.0 / distance);
        return;
    }
    p->nearest = pli_inside_nearest(collision, p->surfaces[1], pli_position_of(&collision->previous[i]));
    p->depth = p->far = sqrt(p->nearest.closest.square);
    for (int k = 0; k < 3; k++)
        corners[k] = collider->first + collider->triangles[3 * p->nearest.triangle + k];
    if (p->depth > 1e-6 * (double)collision->surfaces[p->surfaces[0]]->mean_edge)
        p->out = pli_dscale(p->nearest.closest.apart, -1.0 / p->depth);
    else
        pli_normal_at_start(collision, corners, &p->out);
}

// Moves a particle along its direction, and adds a one-sided contact if it is near the surface.
static void move_out(const pli_find *f, int32_t i, const pushed *p, pli_surface_contact *one_sided)
{
    pli_collision *collision = f->collision;
    const pli_contact_mesh *deformable = collision->surfaces[p->surfaces[0]],
                           *collider = collision->surfaces[p->surfaces[1]];
    double edge = (double)deformable->mean_edge;
    double rest_distance = (double)deformable->material.thickness + (double)collider->material.thickness;
    double beyond = fmax(REST_DISTANCE_SHARE * rest_distance, EDGE_SHARE * edge);
    double by = fmin(p->far + beyond, (DEPTH_RATE * p->far + PUSH_RATE * edge) * (double)collision->step);
    if (collision->particles[i].w > 0.0f)
        pli_collision_shift(collision, i, pli_dscale(p->out, by));
    one_sided->split = 0;
    if (p->nearest.triangle < 0 || p->depth > ONE_SIDED_SHARE * edge)
        return;
    int32_t corners[3];
    double weights[3];
    for (int k = 0; k < 3; k++) {
        corners[k] = collider->first + collider->triangles[3 * p->nearest.triangle + k];
        weights[k] = -p->nearest.closest.weights[1 + k];
    }
    *one_sided = pli_one_sided_of(i, corners, weights, p->out, p->surfaces);
}

// Search for the collider around one particle.
typedef struct inside_query {
    const pli_collision *collision;
    int32_t deformable, particle, collider;
} inside_query;

static bool is_around(const pli_collision *collision, int32_t collider, int32_t i)
{
    const pli_contact_mesh *s = collision->surfaces[collider];
    if (!(s->radius > 0.0f))
        return pli_inside(collision, collider, pli_position_of(&collision->previous[i]));
    const pli_dvec3 from = from_core(collision, s, i);
    const double deep = PLI_DEEP_SHARE * (double)s->radius;
    // A pinned particle stays where it is.
    return collision->particles[i].w > 0.0f && pli_ddot(from, from) < deep * deep;
}

static bool found_collider(void *data, int32_t collider)
{
    inside_query *h = data;
    if (may_contain(h->collision, h->deformable, collider) && !is_attached(h->collision, h->particle, collider) &&
        is_around(h->collision, collider, h->particle))
        h->collider = collider;
    return h->collider < 0;
}

// The first collider around a particle; -1 for none. The tree holds the boxes of the cores of round colliders.
static int32_t collider_around(const pli_collision *collision, int32_t deformable, int32_t i, float largest_radius)
{
    inside_query h = {collision, deformable, i, -1};
    const pli_vec3 point = pli_position_of(&collision->previous[i]),
                   reach = {largest_radius, largest_radius, largest_radius};
    const pli_aabb around = {pli_sub(point, reach), pli_add(point, reach)};
    const pli_swept_box box = {around, around};
    pli_bvh16_query(&collision->surface_tree, collision->near, &box, 0, found_collider, &h);
    return h.collider;
}

typedef struct push_finding {
    const pli_find *find;
    float largest_radius; // The largest radius of the round colliders [m].
} push_finding;

static void push_find_chunk(void *data, int32_t chunk)
{
    const push_finding *inside = data;
    const pli_find *f = inside->find;
    pli_collision *collision = f->collision;
    int32_t all = f->vertex_bases[f->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t item = chunk * PLI_FIND_GRAIN; item < end; item++) {
        int32_t deformable = pli_find_owner(f->vertex_bases, f->surface_count, item);
        const pli_contact_mesh *s = collision->surfaces[deformable];
        int32_t i = s->first + item - f->vertex_bases[deformable];
        collision->untangle.inside_of.items[i] =
            s->collider ? 0 : collider_around(collision, deformable, i, inside->largest_radius) + 1;
    }
}

typedef struct pushing {
    const pli_find *find;
    pushed *items; // [inside_count]
} pushing;

static int32_t end_of_chunk(const pli_collision *collision, int32_t chunk)
{
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN;
    return end < collision->untangle.inside_count ? end : collision->untangle.inside_count;
}

static void look_out_chunk(void *data, int32_t chunk)
{
    const pushing *p = data;
    const pli_collision *collision = p->find->collision;
    for (int32_t k = chunk * PLI_FIND_GRAIN; k < end_of_chunk(collision, chunk); k++)
        push_find_way_out(p->find, collision->untangle.inside_particles[k], &p->items[k]);
}

static void push_out_chunk(void *data, int32_t chunk)
{
    const pushing *p = data;
    pli_collision *collision = p->find->collision;
    for (int32_t k = chunk * PLI_FIND_GRAIN; k < end_of_chunk(collision, chunk); k++)
        move_out(p->find, collision->untangle.inside_particles[k], &p->items[k],
                 &collision->contacts.one_sided.items[k]);
}

// A collider of the pockets.
typedef struct pushing_surface {
    const pli_collision *collision;
    const pli_contact_mesh *surface;
} pushing_surface;

static double reach_of_surface(const void *collider, pli_dvec3 direction)
{
    const pushing_surface *of = collider;
    double farthest = -INFINITY;
    for (int32_t i = of->surface->first; i < of->surface->first + of->surface->vertex_count; i++) {
        const double reach = pli_ddot(direction, pli_start_position(of->collision, i));
        farthest = reach > farthest ? reach : farthest; // GCC 12 for AArch64 fails with fmax.
    }
    return farthest + (double)of->surface->radius;
}

// Gives pockets of one deformable in one collider a common direction. Each pair of surfaces is handled at its first particle.
static bool push_direct_pockets(const pushing *p)
{
    pli_collision *collision = p->find->collision;
    const int32_t all = collision->untangle.inside_count, *particles = collision->untangle.inside_particles;
    int32_t *inside = PLI_TAKE(&collision->arena, int32_t, all), *numbers = PLI_TAKE(&collision->arena, int32_t, all);
    pli_dvec3 *directions = PLI_TAKE(&collision->arena, pli_dvec3, all);
    uint8_t *done = PLI_TAKE_ZEROED(&collision->arena, uint8_t, all);
    double *depths = PLI_TAKE(&collision->arena, double, all);
    bool complete = inside && numbers && directions && done && depths;
    for (int32_t first = 0; complete && first < all; first++) {
        const int32_t *of = p->items[first].surfaces;
        const pli_contact_mesh *m = collision->surfaces[of[0]];
        int32_t count = 0;
        for (int32_t k = first; !done[first] && k < all; k++) {
            if (p->items[k].surfaces[0] != of[0] || p->items[k].surfaces[1] != of[1])
                continue;
            inside[count] = particles[k] - m->first, numbers[count] = k, depths[count] = p->items[k].depth;
            directions[count++] = p->items[k].out;
        }
        const pli_pocket_mesh mesh = {.edges = m->edges,
                                      .triangles = m->triangles,
                                      .edge_count = m->edge_count,
                                      .triangle_count = m->triangle_count,
                                      .particle_count = m->vertex_count,
                                      .particles = collision->previous + m->first};
        const pushing_surface collider = {collision, collision->surfaces[of[1]]};
        complete = count == 0 || pli_pockets_direct(&collision->arena, &mesh, reach_of_surface, &collider, inside,
                                                    directions, depths, count);
        for (int32_t k = 0; k < count; k++)
            p->items[numbers[k]].out = directions[k], p->items[numbers[k]].far = depths[k], done[numbers[k]] = 1;
    }
    return complete;
}

bool pli_find_inside(pli_find *f)
{
    pli_collision *collision = f->collision;
    collision->untangle.inside_count = collision->untangle.round_count = 0;
    push_finding inside = {f, 0.0f};
    for (int32_t i = 0; i < collision->surface_count; i++) {
        collision->surfaces[i]->contains = false;
        inside.largest_radius = fmaxf(inside.largest_radius, collision->surfaces[i]->radius);
    }
    bool any = false;
    for (int32_t collider = 0; collider < collision->surface_count && !any; collider++)
        for (int32_t deformable = 0; deformable < f->surface_count && has_inside(collision->surfaces[collider]);
             deformable++)
            any = any || (!collision->surfaces[deformable]->collider && may_contain(collision, deformable, collider));
    if (!any)
        return true;
    int32_t count = collision->particle_count;
    collision->untangle.inside_particles = PLI_TAKE(&collision->arena, int32_t, count);
    if (!collision->untangle.inside_particles ||
        !pli_array_reserve(collision->memory, &collision->untangle.inside_of, count))
        return false;
    for (int32_t i = 0; i < count; i++)
        collision->untangle.inside_of.items[i] = 0;
    pli_tasks_run(collision->tasks, (f->vertex_bases[f->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN,
                  push_find_chunk, &inside);
    for (int32_t i = 0; i < count; i++) {
        const int32_t around = collision->untangle.inside_of.items[i] - 1;
        if (around < 0)
            continue;
        collision->untangle.inside_particles[collision->untangle.inside_count++] = i;
        collision->untangle.round_count += collision->surfaces[around]->radius > 0.0f;
        collision->surfaces[around]->contains = collision->surfaces[around]->contains ||
                                                collision->particles[i].w > 0.0f;
    }
    return true;
}

bool pli_push_out(pli_find *f)
{
    pli_collision *collision = f->collision;
    if (!pli_find_inside(f) || !pli_one_sided_reserve(collision, collision->untangle.inside_count))
        return false;
    const int32_t chunks = (collision->untangle.inside_count + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN;
    pushing p = {f, PLI_TAKE(&collision->arena, pushed, collision->untangle.inside_count)};
    if (!p.items)
        return false;
    pli_tasks_run(collision->tasks, chunks, look_out_chunk, &p);
    if (!push_direct_pockets(&p))
        return false;
    pli_tasks_run(collision->tasks, chunks, push_out_chunk, &p);
    for (int32_t k = 0; k < collision->untangle.inside_count; k++)
        if (collision->contacts.one_sided.items[k].split > 0)
            collision->contacts.one_sided.items[collision->contacts.one_sided.count++] =
                collision->contacts.one_sided.items[k];
    return true;
}
