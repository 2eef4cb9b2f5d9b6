// Pushes particles out of closed colliders, a part of the way in each substep.
#include "collision/untangle/push_out.h"

#include "collision/untangle/inside.h"
#include "collision/untangle/separate.h"

// Speed of a particle: these shares of its depth and of the mean edge, per second [1/s].
#define DEPTH_RATE 6.0
#define EDGE_RATE 6.0
// Distance beyond the surface at which the push ends: a share of the rest distance, but at least one of the mean edge.
#define REST_DISTANCE_SHARE 0.1
#define EDGE_SHARE 1e-3
// Greatest depth, in mean edges, with a one-sided contact. Deeper particles may leave on opposite sides, and such
// contacts would tear the cloth between.
#define ONE_SIDED_SHARE 1.0

static bool has_inside(const pli_contact_mesh *s) { return s->collider && s->closed && s->triangle_count > 0; }

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

// Moves a particle towards the nearest point of the collider's surface.
static void move_out(const pli_find *f, int32_t i, pli_surface_contact *one_sided)
{
    pli_collision *collision = f->collision;
    int32_t surfaces[2] = {deformable_of(f, i), collision->untangle.inside_of.items[i] - 1}, corners[3];
    const pli_contact_mesh *deformable = collision->surfaces[surfaces[0]], *collider = collision->surfaces[surfaces[1]];
    pli_nearest nearest = pli_inside_nearest(collision, surfaces[1], pli_position_of(&collision->previous[i]));
    double depth = sqrt(nearest.closest.square), edge = (double)deformable->mean_edge, weights[3];
    double rest_distance = (double)deformable->material.thickness + (double)collider->material.thickness;
    for (int k = 0; k < 3; k++) {
        corners[k] = collider->first + collider->triangles[3 * nearest.triangle + k];
        weights[k] = -nearest.closest.weights[1 + k];
    }
    pli_dvec3 out = {0, 1, 0};
    if (depth > 1e-6 * edge)
        out = pli_dscale(nearest.closest.apart, -1.0 / depth);
    else
        pli_normal_at_start(collision, corners, &out);
    double beyond = fmax(REST_DISTANCE_SHARE * rest_distance, EDGE_SHARE * edge);
    double by = fmin(depth + beyond, (DEPTH_RATE * depth + EDGE_RATE * edge) * (double)collision->step);
    if (collision->particles[i].w > 0.0f)
        pli_collision_shift(collision, i, pli_dscale(out, by));
    one_sided->split = 0;
    if (depth <= ONE_SIDED_SHARE * edge)
        *one_sided = pli_one_sided_of(i, corners, weights, out, surfaces);
}

// Search for the collider around one particle.
typedef struct inside_query {
    const pli_collision *collision;
    int32_t deformable, particle, collider;
} inside_query;

static bool found_collider(void *data, int32_t collider)
{
    inside_query *h = data;
    if (may_contain(h->collision, h->deformable, collider) && !is_attached(h->collision, h->particle, collider) &&
        pli_inside(h->collision, collider, pli_position_of(&h->collision->previous[h->particle])))
        h->collider = collider;
    return h->collider < 0;
}

// The first closed collider around a particle; -1 for none.
static int32_t collider_around(const pli_collision *collision, int32_t deformable, int32_t i)
{
    inside_query h = {collision, deformable, i, -1};
    pli_vec3 point = pli_position_of(&collision->previous[i]);
    const pli_swept_box box = {{point, point}, {point, point}};
    pli_bvh16_query(&collision->surface_tree, collision->near, &box, 0, found_collider, &h);
    return h.collider;
}

static void find_chunk(void *data, int32_t chunk)
{
    const pli_find *f = data;
    pli_collision *collision = f->collision;
    int32_t all = f->vertex_bases[f->surface_count];
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN < all ? (chunk + 1) * PLI_FIND_GRAIN : all;
    for (int32_t item = chunk * PLI_FIND_GRAIN; item < end; item++) {
        int32_t deformable = pli_find_owner(f->vertex_bases, f->surface_count, item);
        const pli_contact_mesh *s = collision->surfaces[deformable];
        int32_t i = s->first + item - f->vertex_bases[deformable];
        collision->untangle.inside_of.items[i] = s->collider ? 0 : collider_around(collision, deformable, i) + 1;
    }
}

static void push_out_chunk(void *data, int32_t chunk)
{
    const pli_find *f = data;
    pli_collision *collision = f->collision;
    int32_t end = (chunk + 1) * PLI_FIND_GRAIN;
    end = end < collision->untangle.inside_count ? end : collision->untangle.inside_count;
    for (int32_t k = chunk * PLI_FIND_GRAIN; k < end; k++)
        move_out(f, collision->untangle.inside_particles[k], &collision->contacts.one_sided.items[k]);
}

static bool any_may_contain(const pli_collision *collision, int32_t deformable_count)
{
    for (int32_t collider = 0; collider < collision->surface_count; collider++)
        for (int32_t deformable = 0; deformable < deformable_count && has_inside(collision->surfaces[collider]);
             deformable++)
            if (!collision->surfaces[deformable]->collider && may_contain(collision, deformable, collider))
                return true;
    return false;
}

bool pli_find_inside(pli_find *f)
{
    pli_collision *collision = f->collision;
    collision->untangle.inside_count = 0;
    if (!any_may_contain(collision, f->surface_count))
        return true;
    int32_t count = collision->particle_count;
    collision->untangle.inside_particles = PLI_TAKE(&collision->arena, int32_t, count);
    if (!collision->untangle.inside_particles ||
        !pli_array_reserve(collision->memory, &collision->untangle.inside_of, count))
        return false;
    for (int32_t i = 0; i < count; i++)
        collision->untangle.inside_of.items[i] = 0;
    pli_tasks_run(collision->tasks, (f->vertex_bases[f->surface_count] + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN,
                  find_chunk, f);
    for (int32_t i = 0; i < count; i++)
        if (collision->untangle.inside_of.items[i] > 0)
            collision->untangle.inside_particles[collision->untangle.inside_count++] = i;
    return true;
}

bool pli_push_out(pli_find *f)
{
    pli_collision *collision = f->collision;
    if (!pli_find_inside(f) || !pli_one_sided_reserve(collision, collision->untangle.inside_count))
        return false;
    pli_tasks_run(collision->tasks, (collision->untangle.inside_count + PLI_FIND_GRAIN - 1) / PLI_FIND_GRAIN,
                  push_out_chunk, f);
    for (int32_t k = 0; k < collision->untangle.inside_count; k++)
        if (collision->contacts.one_sided.items[k].split > 0)
            collision->contacts.one_sided.items[collision->contacts.one_sided.count++] =
                collision->contacts.one_sided.items[k];
    return true;
}
