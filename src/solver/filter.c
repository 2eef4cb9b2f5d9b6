#include "solver/filter.h"

pli_contact_side pli_side_of_particle(const pli_world *world, const pli_body *body, int32_t place)
{
    return (pli_contact_side){
        .deformable = {body->id, world->tag}, .vertices = {pli_vertex(body, place)}, .vertex_count = 1};
}

pli_contact_side pli_side_of_collider(const pli_world *world, int32_t number)
{
    return (pli_contact_side){.collider = {pli_solid_at(world, number)->id, world->tag}};
}

pli_contact_side pli_side_of_surface(const pli_world *world, const pli_side *side)
{
    const pli_surface *surface = side->surface;
    pli_contact_side out = {.vertex_count = side->count};
    const pli_body *body = surface->collider ? NULL : pli_body_at(world, surface->number);
    if (body)
        out.deformable = (pli_deformable){body->id, world->tag};
    else
        out = pli_side_of_collider(world, surface->number);
    // Of a surface that stands for a smooth shape there are no vertices to name.
    if (!body && !pli_solid_at(world, surface->number)->mesh)
        return out;
    out.vertex_count = side->count;
    for (int32_t k = 0; k < side->count; k++)
        out.vertices[k] = body ? pli_vertex(body, side->at[k] - surface->first) : side->at[k] - surface->first;
    return out;
}

static bool ask_surfaces(void *user, const pli_side *a, const pli_side *b)
{
    const pli_world *world = user;
    pli_contact_side first = pli_side_of_surface(world, a->surface->collider ? b : a);
    pli_contact_side second = pli_side_of_surface(world, a->surface->collider ? a : b);
    return world->filter(world->filter_user, &first, &second);
}

void pli_world_set_contact_filter(pli_world *world, pli_contact_filter filter, void *user)
{
    world->filter = filter;
    world->filter_user = user;
    world->space.allows = filter ? ask_surfaces : NULL;
    world->space.user = world;
    // What was let through each other may be in each other.
    pli_space_expect_intersections(&world->space);
}

static bool ask_particle(const pli_world *world, const pli_body *body, int32_t particle, int32_t collider)
{
    pli_contact_side a = pli_side_of_particle(world, body, particle);
    pli_contact_side b = pli_side_of_collider(world, collider);
    return world->filter(world->filter_user, &a, &b);
}

// Contacts come in the order of the verdicts of the substep before, so that one walk finds what is known.
static bool verdict_on(const pli_world *world, const pli_body *body, int32_t particle, int32_t collider, int32_t *known)
{
    const pli_contact_pool *pool = &body->pool;
    while (*known < pool->verdict_count &&
           pli_contact_before(pool->verdicts[*known].particle, pool->verdicts[*known].collider, particle, collider))
        ++*known;
    const pli_verdict *v = *known < pool->verdict_count ? &pool->verdicts[*known] : NULL;
    if (v && v->particle == particle && v->collider == collider)
        return v->allowed;
    return ask_particle(world, body, particle, collider);
}

static int32_t filter_group(const pli_world *world, pli_body *body, pli_contact_group *group, int32_t *known,
                            int32_t next)
{
    for (int32_t lane = 0; lane < PLI_BATCH; lane++) {
        if (!pli_contact_at(group, lane))
            continue;
        bool allowed = verdict_on(world, body, group->first + lane, group->collider, known);
        body->pool.next_verdicts[next++] = (pli_verdict){group->first + lane, group->collider, allowed};
        if (!allowed)
            pli_contact_drop(group, lane);
    }
    return next;
}

static bool filter_body(pli_world *world, pli_body *body)
{
    pli_contact_pool *pool = &body->pool;
    int64_t total = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        total += pli_contacts_count(pli_chunk_contacts(pool, chunk), pool->counts[chunk]);
    if (!pli_reserve(&world->memory, &pool->next_verdicts, &pool->next_capacity, total, sizeof(pli_verdict)))
        return false;
    int32_t known = 0, next = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        for (int32_t i = 0; i < pool->counts[chunk]; i++)
            next = filter_group(world, body, &pli_chunk_contacts(pool, chunk)[i], &known, next);
    pli_verdict *verdicts = pool->verdicts;
    int32_t capacity = pool->verdict_capacity;
    pool->verdicts = pool->next_verdicts, pool->verdict_capacity = pool->next_capacity, pool->verdict_count = next;
    pool->next_verdicts = verdicts, pool->next_capacity = capacity;
    return true;
}

void pli_world_filter_contacts(pli_world *world)
{
    if (!world->filter || world->solids.count == 0)
        return;
    for (int32_t i = 0; i < world->bodies.count; i++)
        if (!filter_body(world, pli_body_at(world, i)))
            world->starved = true;
}

void pli_world_forget_verdicts(pli_world *world)
{
    for (int32_t i = 0; i < world->bodies.count; i++)
        pli_body_at(world, i)->pool.verdict_count = 0;
}
