// Growth of the arrays of a deformable when cuts add particles: per-particle arrays, contact chunks, its range of the
// store, and the padding of constraint sets, which refers to the dummy particle at the end of the range.
#include "tearing/growth.h"

#include "model/attributes.h"
#include "particles/rigid_motion_kernels.h"
#include "particles/store_range.h"
#include "sweep/constraint_links.h"

#include <string.h>

// An array with `per` elements for each particle and `more` additional elements. It is skipped while it is NULL.
typedef struct growing_array {
    void *array;
    size_t size;
    int32_t per, more;
} growing_array;

static bool grow_array(pli_memory *memory, const growing_array *a, int32_t before, int32_t after)
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

static bool grow_particles(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    const growing_array arrays[] = {
        {&deformable->normals, sizeof(pli_particle), 1, 1},
        {&deformable->air, sizeof(pli_particle), 1, 1},
        {&deformable->good_particles, sizeof(pli_particle), 1, 0},
        {&deformable->good_velocities, sizeof(pli_particle), 1, 0},
        {&deformable->held, sizeof(uint8_t), 1, 0},
        {&deformable->base_masses, sizeof(float), 1, 0},
        {&deformable->plate_expected, sizeof(pli_particle), 2, 0},
        {&deformable->good_expected, sizeof(pli_particle), 2, 0},
        {&deformable->scratch, sizeof(double), 3, 0},
        {&deformable->order, sizeof(int32_t), 1, 0},
        {&deformable->vertices, sizeof(int32_t), 1, 0},
        {&deformable->user_particles, sizeof(pli_particle), 1, 0},
        {&deformable->user_velocities, sizeof(pli_particle), 1, 0},
        {&deformable->world_particles, sizeof(pli_particle), 1, 0},
        {&deformable->shown_before, sizeof(pli_particle), 1, 0},
        {&deformable->user_normals, sizeof(pli_particle), 1, 0},
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!grow_array(&world->memory, &arrays[i], deformable->capacity, capacity))
            return false;
    return pli_attributes_grow(&world->memory, deformable, capacity);
}

static bool grow_chunks(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    pli_contact_pool *pool = &deformable->pool;
    int32_t contacts = capacity / PLI_CONTACT_GRAIN + 1;
    int32_t sums = deformable->capacity / PLI_PARTICLE_GRAIN + 1, more_sums = capacity / PLI_PARTICLE_GRAIN + 1;
    const growing_array by_sum = {&deformable->sums, sizeof(double), PLI_MOTION_SUM_COUNT, 0};
    const growing_array counts = {&pool->counts, sizeof(int32_t), 1, 0};
    const growing_array groups = {&pool->groups, sizeof(pli_contact_group), pool->capacity, 0};
    if (!grow_array(&world->memory, &by_sum, sums, more_sums) ||
        !grow_array(&world->memory, &groups, pool->chunk_count, contacts) ||
        !grow_array(&world->memory, &counts, pool->chunk_count, contacts))
        return false;
    pool->chunk_count = contacts;
    return true;
}

bool pli_deformable_grow(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    int32_t dummy = deformable->capacity;
    if (capacity <= dummy)
        return true;
    if (!grow_particles(world, deformable, capacity) || !grow_chunks(world, deformable, capacity) ||
        !pli_range_grow(world, deformable, capacity + 1))
        return false;
    deformable->capacity = capacity;
    bool complete = true;
    for (pli_constraint_set_data *set = deformable->first_set; set; set = set->next) {
        pli_links_move_dummy(set, dummy);
        complete = (!set->links || pli_links_widen(world, set)) && complete;
    }
    return complete;
}
