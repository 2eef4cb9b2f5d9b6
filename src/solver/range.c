#include "solver/range.h"

static void point_into_store(pli_world *world)
{
    for (int32_t i = 0; i < world->bodies.count; i++) {
        pli_body *body = pli_body_at(world, i);
        body->particles = world->store.particles + body->first;
        body->previous = world->store.previous + body->first;
        body->velocities = world->store.velocities + body->first;
    }
}

bool pli_range_take(pli_world *world, int32_t span, int32_t *first)
{
    int32_t count = world->store.count;
    if (!pli_store_add(&world->memory, &world->store, span))
        return false;
    *first = count; // Which is a body's own, so that it is pointed at too.
    point_into_store(world);
    return true;
}

static void move_if_behind(int32_t *begin, int32_t first, int32_t by)
{
    if (*begin > first)
        *begin += by;
}

static void move_ranges(pli_world *world, int32_t first, int32_t by)
{
    for (int32_t i = 0; i < world->bodies.count; i++)
        move_if_behind(&(pli_body_at(world, i))->first, first, by);
    for (int32_t i = 0; i < world->solids.count; i++)
        move_if_behind(&(pli_solid_at(world, i))->first, first, by);
    point_into_store(world);
}

bool pli_range_grow(pli_world *world, pli_body *body, int32_t span)
{
    if (!pli_store_insert(&world->memory, &world->store, body->first + body->span, span - body->span))
        return false;
    move_ranges(world, body->first, span - body->span);
    body->span = span;
    // What is known by place, such as what lies inside of what, is found again.
    pli_space_expect_intersections(&world->space);
    world->has_contacts = false;
    return true;
}

void pli_range_return(pli_world *world, int32_t first, int32_t span)
{
    if (span == 0)
        return;
    pli_store_remove(&world->store, first, span);
    move_ranges(world, first, -span);
}
