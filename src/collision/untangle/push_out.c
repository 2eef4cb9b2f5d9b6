// Pushes particles out of closed colliders.
//
// Faces with outward normals enclose a solid: its inside has a positive winding number, which rays along the axes measure. Faces with
// inward normals form a container, which has no inside.
#include "collision/untangle/push_out.h"

#include "base/union_find.h"
#include "collision/untangle/separate.h"

#include <math.h>

typedef struct inside_ray {
    const pli_collision *collision;
    const pli_contact_mesh *surface;
    pli_dvec3 origin;
    int32_t axis, winding;
} inside_ray;

typedef struct nearest_point {
    int32_t triangle;    // Nearest triangle; -1 for none.
    pli_closest closest; // Closest points; `apart` points from the triangle to the point.
} nearest_point;

static double ray_component(pli_dvec3 v, int32_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// A triangle ahead counts +1 if it faces along the axis, and -1 if it faces against it.
static void cross_triangle(inside_ray *r, int32_t triangle)
{
    int32_t corners[3], left = 0;
    for (int k = 0; k < 3; k++)
        corners[k] = r->surface->first + r->surface->triangles[3 * triangle + k];
    for (int k = 0; k < 3; k++) {
        // The side on which an axis-aligned ray passes the edge. The edge is always evaluated from its lower vertex, so that
        // both of its triangles get the same answer; a ray through the edge passes on the right.
        int32_t from = corners[k];
        int32_t to = corners[(k + 1) % 3];
        pli_dvec3 a = pli_dsub(pli_start_position(r->collision, from < to ? from : to), r->origin);
        pli_dvec3 b = pli_dsub(pli_start_position(r->collision, from < to ? to : from), r->origin);
        int32_t u = (r->axis + 1) % 3, v = (r->axis + 2) % 3;
        bool on_left = ray_component(a, u) * ray_component(b, v) > ray_component(a, v) * ray_component(b, u);
        left += on_left == (from < to);
    }
    if (left != 0 && left != 3)
        return;
    pli_dvec3 a = pli_dsub(pli_start_position(r->collision, corners[0]), r->origin);
    pli_dvec3 b = pli_dsub(pli_start_position(r->collision, corners[1]), r->origin);
    pli_dvec3 c = pli_dsub(pli_start_position(r->collision, corners[2]), r->origin);
    double ahead = pli_ddot(pli_dcross(pli_dsub(b, a), pli_dsub(c, a)), a);
    if (left == 3 && ahead > 0.0)
        r->winding++;
    if (left == 0 && ahead < 0.0)
        r->winding--;
}

static bool cross_cluster(void *data, int32_t cluster)
{
    inside_ray *r = data;
    const pli_clusters *p = &r->surface->clusters;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++)
        cross_triangle(r, p->items[PLI_PRIMITIVE_TRIANGLE][i]);
    return true;
}

static bool winds_around(const pli_collision *collision, int32_t surface, pli_vec3 point, int32_t axis)
{
    inside_ray r = {
        collision, collision->surfaces[surface], {(double)point.x, (double)point.y, (double)point.z}, axis, 0};
    pli_aabb box = {point,
                    {axis == 0 ? INFINITY : point.x, axis == 1 ? INFINITY : point.y, axis == 2 ? INFINITY : point.z}};
    const pli_swept_box stays = {box, box};
    pli_bvh16_query(&r.surface->clusters.tree, collision->kernels.near, &stays, 0, cross_cluster, &r);
    return r.winding > 0;
}

// A majority of three rays corrects for rounding and for single flipped faces.
static bool is_inside_surface(const pli_collision *collision, int32_t surface, pli_vec3 point)
{
    bool first = winds_around(collision, surface, point, 0), second = winds_around(collision, surface, point, 1);
    return first == second ? first : winds_around(collision, surface, point, 2);
}

typedef struct nearest_query {
    const pli_collision *collision;
    const pli_contact_mesh *surface;
    pli_dvec3 point;
    int32_t triangle;
    double least;
} nearest_query;

static pli_closest closest_of(const nearest_query *l, int32_t triangle)
{
    pli_dvec3 at[4] = {l->point};
    for (int k = 0; k < 3; k++)
        at[1 + k] = pli_start_position(l->collision, l->surface->first + l->surface->triangles[3 * triangle + k]);
    return pli_closest_points(PLI_PAIR_VERTEX_TRIANGLE, at);
}

// Ties go to the lowest triangle, so that the search order does not matter.
static double nearest_in_cluster(void *data, int32_t cluster)
{
    nearest_query *l = data;
    const pli_clusters *p = &l->surface->clusters;
    for (int32_t i = p->starts[PLI_PRIMITIVE_TRIANGLE][cluster]; i < p->ends[PLI_PRIMITIVE_TRIANGLE][cluster]; i++) {
        int32_t triangle = p->items[PLI_PRIMITIVE_TRIANGLE][i];
        double square = closest_of(l, triangle).square;
        if (square < l->least || (square == l->least && triangle < l->triangle))
            l->least = square, l->triangle = triangle;
    }
    return l->least;
}

// Both functions use positions at the start of the substep; the cluster boxes must be refitted to these.
static nearest_point nearest_triangle_of(const pli_collision *collision, int32_t surface, pli_vec3 point)
{
    nearest_query l = {
        collision, collision->surfaces[surface], {(double)point.x, (double)point.y, (double)point.z}, -1, INFINITY};
    nearest_point nearest = {.triangle = -1};
    pli_bvh16_nearest(&l.surface->clusters.tree, point, nearest_in_cluster, &l);
    nearest.triangle = l.triangle;
    if (nearest.triangle >= 0)
        nearest.closest = closest_of(&l, nearest.triangle);
    return nearest;
}

/* ---- pockets --------------------------------------------------------------------------------- */

// Directions of pockets: collision/untangle/push_out.h.

// Unit vectors agree if their mean is longer than AGREE. A pocket has a normal if its area vectors sum to more than FLAT of its area.
#define AGREE 0.5
#define POCKET_FLAT 0.2

typedef struct pocket {
    pli_dvec3 direction, place, normal; // Sums over particles, and over triangles by twice their area.
    double area;                        // Twice the area of the triangles.
    double depth;                       // Depth of the deepest particle.
    int32_t count;
    bool goes; // The pocket has a direction, stored in `direction`.
} pocket;

typedef struct pockets {
    const pli_pocket_mesh *mesh;
    int32_t *number_of; // [particles] 1 + index among the particles inside; 0 for others.
    int32_t *roots;     // [count]
    pocket *items;      // [count] at the roots.
} pockets;

static int32_t pocket_particle(const pli_pocket_mesh *mesh, int32_t vertex)
{
    return mesh->order ? mesh->order[vertex] : vertex;
}

static pli_dvec3 pocket_position(const pli_pocket_mesh *mesh, int32_t particle)
{
    const pli_particle *p = &mesh->particles[particle];
    return (pli_dvec3){(double)p->x, (double)p->y, (double)p->z};
}

// Sets the pocket's direction; returns false if it has none.
static bool pocket_direction(const pocket *of, pli_pocket_reach reach, const void *collider, pli_dvec3 *direction)
{
    const double along = pli_dlength(of->direction), across = pli_dlength(of->normal);
    if (along > AGREE * of->count) {
        *direction = pli_dscale(of->direction, 1.0 / along);
        return true;
    }
    if (!(across > POCKET_FLAT * of->area))
        return false;
    const pli_dvec3 up = pli_dscale(of->normal, 1.0 / across), down = pli_dscale(up, -1.0);
    const double height = pli_ddot(up, of->place) / of->count;
    *direction = reach(collider, up) - height <= reach(collider, down) + height ? up : down;
    return true;
}

bool pli_pockets_direct(pli_arena *arena, const pli_pocket_mesh *mesh, pli_pocket_reach reach, const void *collider,
                        const int32_t *inside, pli_dvec3 *directions, double *depths, int32_t count)
{
    const pli_arena_scope scope = pli_arena_begin(arena);
    const pockets p = {mesh, PLI_TAKE_ZEROED(arena, int32_t, mesh->particle_count), PLI_TAKE(arena, int32_t, count),
                       PLI_TAKE_ZEROED(arena, pocket, count)};
    const bool complete = p.number_of && p.roots && p.items;
    for (int32_t i = 0; complete && i < count; i++) {
        p.roots[i] = i;
        p.number_of[inside[i]] = i + 1;
    }
    if (complete) {
        for (int32_t e = 0; e < p.mesh->edge_count; e++) {
            const int32_t a = p.number_of[pocket_particle(p.mesh, p.mesh->edges[2 * e])] - 1,
                          b = p.number_of[pocket_particle(p.mesh, p.mesh->edges[2 * e + 1])] - 1;
            if (a >= 0 && b >= 0)
                pli_sets_join(p.roots, a, b);
        }
        for (int32_t i = 0; i < count; i++) {
            pocket *of = &p.items[pli_set_root(p.roots, i)];
            of->direction = pli_dadd(of->direction, directions[i]);
            of->place = pli_dadd(of->place, pocket_position(mesh, inside[i]));
            of->depth = depths ? fmax(of->depth, depths[i]) : 0.0;
            of->count++;
        }
        // A triangle counts for the pocket of its first corner that is inside.
        for (int32_t t = 0; t < p.mesh->triangle_count; t++) {
            int32_t corners[3], number = -1;
            for (int k = 2; k >= 0; k--) {
                corners[k] = pocket_particle(p.mesh, p.mesh->triangles[3 * t + k]);
                number = p.number_of[corners[k]] > 0 ? p.number_of[corners[k]] - 1 : number;
            }
            if (number < 0)
                continue;
            const pli_dvec3 a = pocket_position(p.mesh, corners[0]);
            const pli_dvec3 normal = pli_dcross(pli_dsub(pocket_position(p.mesh, corners[1]), a),
                                                pli_dsub(pocket_position(p.mesh, corners[2]), a));
            pocket *of = &p.items[pli_set_root(p.roots, number)];
            of->normal = pli_dadd(of->normal, normal);
            of->area += pli_dlength(normal);
        }
        // A root comes before the others of its pocket.
        for (int32_t i = 0; i < count; i++) {
            pocket *of = &p.items[pli_set_root(p.roots, i)];
            if (of == &p.items[i])
                of->goes = pocket_direction(of, reach, collider, &of->direction);
            if (of->goes)
                directions[i] = of->direction;
            if (of->goes && depths)
                depths[i] = of->depth;
        }
    }
    pli_arena_end(arena, scope);
    return complete;
}

/* ---- pushes ---------------------------------------------------------------------------------- */

// Pushes particles out of closed colliders, by a part of their depth in each substep.

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
typedef struct push_target {
    int32_t surfaces[2]; // Indices of its deformable and of the collider.
    nearest_point nearest;
    double depth, far; // Its depth, and the greatest depth of its pocket, which sets its speed.
    pli_dvec3 out;
} push_target;

static void push_find_way_out(const pli_find *f, int32_t i, push_target *p)
{
    const pli_collision *collision = f->collision;
    *p = (push_target){.surfaces = {deformable_of(f, i), collision->untangle.inside_of.items[i] - 1}, .out = {0, 1, 0}};
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
    p->nearest = nearest_triangle_of(collision, p->surfaces[1], pli_position_of(&collision->previous[i]));
    p->depth = p->far = sqrt(p->nearest.closest.square);
    for (int k = 0; k < 3; k++)
        corners[k] = collider->first + collider->triangles[3 * p->nearest.triangle + k];
    if (p->depth > 1e-6 * (double)collision->surfaces[p->surfaces[0]]->mean_edge)
        p->out = pli_dscale(p->nearest.closest.apart, -1.0 / p->depth);
    else
        pli_normal_at_start(collision, corners, &p->out);
}

// Moves a particle along its direction, and adds a one-sided contact if it is near the surface.
static void move_out(const pli_find *f, int32_t i, const push_target *p, pli_surface_contact *one_sided)
{
    pli_collision *collision = f->collision;
    const pli_contact_mesh *deformable = collision->surfaces[p->surfaces[0]],
                           *collider = collision->surfaces[p->surfaces[1]];
    double edge = (double)deformable->mean_edge;
    double rest_distance = (double)deformable->material.thickness + (double)collider->material.thickness;
    double beyond = fmax(REST_DISTANCE_SHARE * rest_distance, EDGE_SHARE * edge);
    double by = fmin(p->far + beyond, (DEPTH_RATE * p->far + PUSH_RATE * edge) * (double)collision->substep.length);
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
        return is_inside_surface(collision, collider, pli_position_of(&collision->previous[i]));
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
    pli_bvh16_query(&collision->broadphase.tree, collision->kernels.near, &box, 0, found_collider, &h);
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
    push_target *items; // [inside_count]
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
    pushing p = {f, PLI_TAKE(&collision->arena, push_target, collision->untangle.inside_count)};
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
