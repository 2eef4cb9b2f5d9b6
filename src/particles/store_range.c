// Ranges of the particle store: particles/store_range.h.
//
//   before   | A ....... | B ..... | C .... |
//   grow A   | A .......++++ | B ..... | C .... |      B and C: first += by, and all pointers are refreshed
#include "particles/store_range.h"

#include "particles/store.h"

static void point_into_store(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        deformable->particles = world->store.particles + deformable->first;
        deformable->previous = world->store.previous + deformable->first;
        deformable->velocities = world->store.velocities + deformable->first;
        deformable->lost = NULL; // The prediction of the next substep decides whether losses are kept.
    }
}

bool pli_range_take(pli_world *world, int32_t span, int32_t *first)
{
    int32_t count = world->store.count;
    if (!pli_store_add(&world->memory, &world->store, span))
        return false;
    *first = count; // Assigned before the refresh, since it may be the `first` of a listed deformable.
    point_into_store(world);
    return true;
}

static void shift_if_behind(int32_t *begin, int32_t first, int32_t by)
{
    if (*begin > first)
        *begin += by;
}

static void shift_ranges(pli_world *world, int32_t first, int32_t by)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        shift_if_behind(&(pli_deformable_at(world, i))->first, first, by);
    for (int32_t i = 0; i < world->colliders.count; i++)
        shift_if_behind(&(pli_collider_at(world, i))->first, first, by);
    point_into_store(world);
}

bool pli_range_grow(pli_world *world, pli_deformable_data *deformable, int32_t span)
{
    if (!pli_store_insert(&world->memory, &world->store, deformable->first + deformable->span, span - deformable->span))
        return false;
    shift_ranges(world, deformable->first, span - deformable->span);
    deformable->span = span;
    // State that refers to particles by index, such as which vertices are inside which collider, is now invalid and must be found again.
    pli_collision_expect_intersections(&world->collision);
    world->has_contacts = false;
    return true;
}

void pli_range_return(pli_world *world, int32_t first, int32_t span)
{
    if (span == 0)
        return;
    pli_store_remove(&world->store, first, span);
    shift_ranges(world, first, -span);
}
