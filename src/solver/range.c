#include "solver/range.h"

static void point_into_store(pli_world *world)
{
    for (int32_t i = 0; i < world->bodies.count; i++) {
        pli_body *body = (pli_body *)(void *)world->bodies.items[i];
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

static void move_down(int32_t *begin, int32_t first, int32_t span)
{
    if (*begin > first)
        *begin -= span;
}

void pli_range_return(pli_world *world, int32_t first, int32_t span)
{
    if (span == 0)
        return;
    pli_store_remove(&world->store, first, span);
    for (int32_t i = 0; i < world->bodies.count; i++)
        move_down(&((pli_body *)(void *)world->bodies.items[i])->first, first, span);
    for (int32_t i = 0; i < world->solids.count; i++)
        move_down(&((pli_solid *)(void *)world->solids.items[i])->first, first, span);
    point_into_store(world);
}
