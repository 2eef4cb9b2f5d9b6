// Room for more particles of a deformable.
#include "solver/room.h"

#include "solver/links.h"
#include "solver/range.h"

#include <string.h>

// An array of a deformable: `per` elements for each particle and `more` besides. Left alone while null.
typedef struct kept_array {
    void *array;
    size_t size;
    int32_t per, more;
} kept_array;

static bool grow_array(pli_memory *memory, const kept_array *a, int32_t before, int32_t after)
{
    void *old, *fresh;
    memcpy(&old, a->array, sizeof old);
    if (!old)
        return true;
    fresh = pli_allocate(memory, (size_t)after * (size_t)a->per + (size_t)a->more, a->size);
    if (!fresh)
        return false;
    memcpy(fresh, old, (size_t)before * (size_t)a->per * a->size);
    pli_release(memory, old);
    memcpy(a->array, &fresh, sizeof fresh);
    return true;
}

static bool grow_particles(pli_world *world, pli_body *body, int32_t capacity)
{
    const kept_array arrays[] = {
        {&body->normals, sizeof(pli_particle), 1, 1},
        {&body->good_particles, sizeof(pli_particle), 1, 0},
        {&body->good_velocities, sizeof(pli_particle), 1, 0},
        {&body->forces, sizeof(float), 3, 0},
        {&body->held, sizeof(uint8_t), 1, 0},
        {&body->scratch, sizeof(double), 3, 0},
        {&body->order, sizeof(int32_t), 1, 0},
        {&body->vertices, sizeof(int32_t), 1, 0},
        {&body->user_particles, sizeof(pli_particle), 1, 0},
        {&body->user_velocities, sizeof(pli_particle), 1, 0},
        {&body->user_normals, sizeof(pli_particle), 1, 0},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!grow_array(&world->memory, &arrays[i], body->capacity, capacity))
            return false;
    return true;
}

static bool grow_chunks(pli_world *world, pli_body *body, int32_t capacity)
{
    pli_contact_pool *pool = &body->pool;
    int32_t contacts = capacity / PLI_CONTACT_GRAIN + 1;
    int32_t sums = body->capacity / PLI_PARTICLE_GRAIN + 1, more_sums = capacity / PLI_PARTICLE_GRAIN + 1;
    const kept_array by_sum = {&body->sums, sizeof(double), PLI_WHOLE_SUMS, 0};
    const kept_array counts = {&pool->counts, sizeof(int32_t), 1, 0};
    const kept_array groups = {&pool->groups, sizeof(pli_contact_group), pool->capacity, 0};
    if (!grow_array(&world->memory, &by_sum, sums, more_sums) ||
        !grow_array(&world->memory, &groups, pool->chunk_count, contacts) ||
        !grow_array(&world->memory, &counts, pool->chunk_count, contacts))
        return false;
    pool->chunk_count = contacts;
    return true;
}

bool pli_body_grow(pli_world *world, pli_body *body, int32_t capacity)
{
    int32_t dummy = body->capacity;
    if (capacity <= dummy)
        return true;
    if (!grow_particles(world, body, capacity) || !grow_chunks(world, body, capacity) ||
        !pli_range_grow(world, body, capacity + 1))
        return false;
    body->capacity = capacity;
    bool complete = true;
    for (pli_set *set = body->first_set; set; set = set->next) {
        pli_links_move_dummy(set, dummy);
        complete = (!set->links || pli_links_widen(world, set)) && complete;
    }
    return complete;
}
