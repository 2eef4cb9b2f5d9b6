// The contacts of the last substep as the user sees them, first those of particles with smooth colliders, by deformables
// and particles, then those between surfaces, by the pairs they come from.
#include "solver/filter.h"

typedef struct listing {
    const pli_world *world;
    pli_contact_point *points;
    int32_t capacity, count;
} listing;

static void add(listing *l, const pli_contact_point *point)
{
    if (l->count < l->capacity)
        l->points[l->count] = *point;
    l->count++;
}

static const pli_body *body_at(const pli_world *world, int32_t i)
{
    return (const pli_body *)(const void *)world->bodies.items[i];
}

static const pli_solid *solid_at(const pli_world *world, int32_t i)
{
    return (const pli_solid *)(const void *)world->solids.items[i];
}

static void add_particle(listing *l, const pli_body *body, const pli_contact_group *group, int32_t lane)
{
    const pli_particle *p = &body->particles[group->first + lane];
    const pli_collider_def *collider = &solid_at(l->world, group->collider)->def;
    pli_contact_point point = {
        .a = pli_side_of_particle(body, group->first + lane),
        .b = pli_side_of_collider(l->world, group->collider),
        .position = {p->x, p->y, p->z},
        .normal = {group->normal[0][lane], group->normal[1][lane], group->normal[2][lane]},
        .impulse = group->impulse[lane],
        .friction = collider->friction,
        .restitution = collider->restitution,
        .user_data = {body->def.user_data, collider->user_data},
    };
    point.a.weights[0] = 1.0f;
    add(l, &point);
}

static void list_particles(listing *l, const pli_body *body)
{
    for (int32_t chunk = 0; chunk < body->pool.chunk_count; chunk++) {
        const pli_contact_group *groups = pli_chunk_contacts(&body->pool, chunk);
        for (int32_t i = 0; i < body->pool.counts[chunk]; i++)
            for (int32_t lane = 0; lane < PLI_BATCH; lane++)
                if (groups[i].impulse[lane] > 0.0f)
                    add_particle(l, body, &groups[i], lane);
    }
}

bool pli_is_pushed(const pli_world *world, const pli_body *body)
{
    for (int32_t chunk = 0; chunk < body->pool.chunk_count && world->solids.count > 0; chunk++)
        if (pli_contacts_push(pli_chunk_contacts(&body->pool, chunk), body->pool.counts[chunk]))
            return true;
    return false;
}

static uint64_t user_data_of(const pli_world *world, const pli_surface *surface)
{
    return surface->collider ? solid_at(world, surface->number)->def.user_data
                             : body_at(world, surface->number)->def.user_data;
}

// `sign` makes the weights of a side positive.
static pli_contact_side weighted_side(const pli_world *world, const pli_side *side, const float *weights, float sign)
{
    pli_contact_side out = pli_side_of_surface(world, side);
    for (int32_t k = 0; k < out.vertex_count; k++)
        out.weights[k] = sign * weights[k];
    return out;
}

static pli_vec3 place_of(const pli_world *world, const pli_side *side, const float *weights, float sign)
{
    pli_vec3 sum = {0, 0, 0};
    for (int32_t k = 0; k < side->count; k++)
        sum = pli_add(sum, pli_scale(pli_place_of(&world->store.particles[side->at[k]]), sign * weights[k]));
    return sum;
}

// A touch has the collider on either side; here it is always b.
static void add_touch(listing *l, const pli_touch *t, float impulse)
{
    const pli_space *space = &l->world->space;
    const pli_side sides[2] = {{space->surfaces[t->surface[0]], t->at, t->split},
                               {space->surfaces[t->surface[1]], t->at + t->split, t->particles - t->split}};
    const float *weights[2] = {t->weights, t->weights + t->split};
    int32_t a = sides[0].surface->collider ? 1 : 0, b = 1 - a;
    float sign = a == 0 ? 1.0f : -1.0f;
    pli_contact_point point = {
        .a = weighted_side(l->world, &sides[a], weights[a], sign),
        .b = weighted_side(l->world, &sides[b], weights[b], -sign),
        .position = place_of(l->world, &sides[a], weights[a], sign),
        .normal = pli_scale(t->normal, sign),
        .impulse = impulse,
        .friction = t->friction,
        .restitution = t->restitution,
        .user_data = {user_data_of(l->world, sides[a].surface), user_data_of(l->world, sides[b].surface)},
    };
    add(l, &point);
}

static void list_touches(listing *l)
{
    const pli_space *space = &l->world->space;
    for (int32_t i = 0; i < space->contacts.touches.count; i++) {
        float impulse = space->contacts.touches.items[i].push / space->step + space->contacts.touches.items[i].kick;
        if (impulse > 0.0f)
            add_touch(l, &space->contacts.touches.items[i], impulse);
    }
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
    listing l = {world, points, capacity, 0};
    for (int32_t i = 0; i < world->bodies.count && world->has_contacts; i++)
        list_particles(&l, body_at(world, i));
    if (world->has_contacts)
        list_touches(&l);
    *count = l.count;
    return pli_succeed(error);
}
