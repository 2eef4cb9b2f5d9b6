// Reports the contacts of the last substep to the user: first the contacts of particles with smooth colliders, by
// deformable and particle, then the contacts between surfaces, in the order of their pairs.
#include "model/handles.h"
#include "model/origin.h"
#include "query/contact_side.h"
#include "particles/contact_pool.h"

typedef struct listing {
    const pli_world *world;
    pli_contact_point *points;
    int32_t capacity, count;
    uint32_t collider; // Alternatively the collider whose impulses are summed.
    pli_dvec3 impulse; // Sum of the impulses on the collider [N s].
} listing;

static void list_point(listing *l, const pli_contact_point *point)
{
    if (l->count < l->capacity)
        l->points[l->count] = *point;
    l->count++;
    if (l->collider != 0 && point->b.collider.id == l->collider)
        l->impulse = pli_dsub(l->impulse, pli_dscale(pli_widened(point->normal), (double)point->impulse));
}

static void add_particle(listing *l, const pli_deformable_data *deformable, const pli_contact_group *group,
                         int32_t lane)
{
    const pli_particle *p = &deformable->particles[group->first + lane];
    const pli_collider_def *collider = &pli_collider_at(l->world, group->collider)->def;
    pli_contact_point point = {
        .a = pli_side_of_particle(l->world, deformable, group->first + lane),
        .b = pli_side_of_collider(l->world, group->collider),
        .position = pli_world_point(l->world, (pli_vec3){p->x, p->y, p->z}),
        .normal = {group->normal[0][lane], group->normal[1][lane], group->normal[2][lane]},
        .impulse = group->impulse[lane],
        .friction = collider->friction,
        .restitution = collider->restitution,
        .user_data = {deformable->def.user_data, collider->user_data},
    };
    point.a.weights[0] = 1.0f;
    list_point(l, &point);
}

static void list_particles(listing *l, const pli_deformable_data *deformable)
{
    for (int32_t chunk = 0; chunk < deformable->pool->chunk_count; chunk++) {
        const pli_contact_group *groups = pli_chunk_contacts(deformable->pool, chunk);
        for (int32_t i = 0; i < deformable->pool->counts[chunk]; i++)
            for (int32_t lane = 0; lane < PLI_BATCH; lane++)
                if (groups[i].impulse[lane] > 0.0f)
                    add_particle(l, deformable, &groups[i], lane);
    }
}

static uint64_t user_data_of(const pli_world *world, const pli_contact_mesh *surface)
{
    return surface->collider ? pli_collider_at(world, surface->number)->def.user_data
                             : pli_deformable_at(world, surface->number)->def.user_data;
}

// Lists the vertices of a side with positive weights. `sign` is the sign of the weights of the side in the contact.
static pli_contact_side weighted_side(const pli_world *world, const pli_side *side, const float *weights, float sign)
{
    pli_contact_side out = pli_side_of_surface(world, side);
    for (int32_t k = 0; k < out.vertex_count; k++)
        out.weights[k] = sign * weights[k];
    return out;
}

static pli_vec3 place_of_side(const pli_world *world, const pli_side *side, const float *weights, float sign)
{
    pli_vec3 sum = {0, 0, 0};
    for (int32_t k = 0; k < side->count; k++)
        sum = pli_add(sum, pli_scale(pli_position_of(&world->store.particles[side->at[k]]), sign * weights[k]));
    return sum;
}

// Adds a surface contact. The collider may be on either side of the contact; it becomes side b of the report.
static void list_surface_contact(listing *l, const pli_surface_contact *t, float impulse)
{
    const pli_collision *collision = &l->world->collision;
    const pli_side sides[2] = {{collision->surfaces[t->surface[0]], t->at, t->split},
                               {collision->surfaces[t->surface[1]], t->at + t->split, t->particles - t->split}};
    const float *weights[2] = {t->weights, t->weights + t->split};
    int32_t a = sides[0].surface->collider ? 1 : 0, b = 1 - a;
    float sign = a == 0 ? 1.0f : -1.0f;
    pli_contact_point point = {
        .a = weighted_side(l->world, &sides[a], weights[a], sign),
        .b = weighted_side(l->world, &sides[b], weights[b], -sign),
        .position = pli_world_point(l->world, place_of_side(l->world, &sides[a], weights[a], sign)),
        .normal = pli_scale(t->normal, sign),
        .impulse = impulse,
        .friction = t->friction,
        .restitution = t->restitution,
        .user_data = {user_data_of(l->world, sides[a].surface), user_data_of(l->world, sides[b].surface)},
    };
    list_point(l, &point);
}

static void list_surface_contacts(listing *l)
{
    const pli_collision *collision = &l->world->collision;
    for (int32_t i = 0; i < collision->contacts.surface_contacts.count; i++) {
        float impulse = collision->contacts.surface_contacts.items[i].normal_sum / collision->substep.length +
                        collision->contacts.surface_contacts.items[i].restitution_impulse;
        if (impulse > 0.0f)
            list_surface_contact(l, &collision->contacts.surface_contacts.items[i], impulse);
    }
}

static void list_all(listing *l)
{
    for (int32_t i = 0; i < l->world->deformables.count && l->world->has_contacts; i++)
        list_particles(l, pli_deformable_at(l->world, i));
    if (l->world->has_contacts)
        list_surface_contacts(l);
}

pli_status pli_world_contacts(const pli_world *world, pli_contact_point *points, int32_t capacity, int32_t *count,
                              pli_error *error)
{
    if (!world || !count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the %s of the contacts is null",
                        world ? "count" : "world");
    if (capacity < 0 || (!points && capacity > 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "there is room for %d contacts%s; give an array, or null and "
                        "0 for the count alone",
                        (int)capacity, points ? "" : " at null");
    listing l = {.world = world, .points = points, .capacity = capacity};
    list_all(&l);
    *count = l.count;
    return pli_succeed(error);
}

// Counts intersections of edges with triangles that involve the surface of a collider, and the particles inside it.
static int32_t count_intersections(const pli_world *world, const pli_contact_mesh *surface)
{
    const pli_collision *collision = &world->collision;
    const pli_untangling *u = &collision->untangle;
    int32_t count = 0;
    for (int32_t i = 0; world->has_contacts && i < u->intersections.count; i++)
        count += collision->surfaces[u->intersections.items[i].edge_surface] == surface ||
                 collision->surfaces[u->intersections.items[i].triangle_surface] == surface;
    for (int32_t i = 0; world->has_contacts && u->inside_count > 0 && i < collision->particle_count; i++)
        count += u->inside_of.items[i] > 0 && !(surface->radius > 0.0f) &&
                 collision->surfaces[u->inside_of.items[i] - 1] == surface;
    return count;
}

pli_status pli_collider_get_tracking_error(const pli_world *world, pli_collider handle,
                                           pli_collider_tracking_error *lag, pli_error *error)
{
    const pli_collider_data *collider = pli_collider_data_of(world, handle, error);
    if (!collider)
        return PLI_STATUS_NOT_FOUND;
    listing l = {.world = world, .collider = handle.id};
    list_all(&l);
    const double step = (double)world->collision.substep.length;
    const pli_dvec3 force = pli_dscale(l.impulse, step > 0.0 ? 1.0 / step : 0.0);
    const pli_collider_tracking_error found = {.count = collider->is_behind ? collider->lagging : collider->lags,
                                               .distance = collider->lag,
                                               .force = {force.x, force.y, force.z},
                                               .intersection_count = count_intersections(world, collider->surface)};
    *lag = found;
    return pli_succeed(error);
}
