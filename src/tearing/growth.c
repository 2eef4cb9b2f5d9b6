// Growth of the arrays of a deformable when cuts add particles: per-particle arrays, contact chunks, its range of the
// store, and the padding of constraint sets, which refers to the dummy particle at the end of the range.
#include "tearing/growth.h"

#include "model/attributes.h"
#include "particles/rigid_motion_kernels.h"
#include "particles/store_range.h"
#include "sweep/constraint_links.h"
#include "particles/momentum.h"
#include "particles/contact_pool.h"

#include <string.h>

static bool grow_particles(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    const struct {
        void *array;
        pli_feature_array shape;
    } own[] = {
        {&deformable->held, {.size = sizeof(uint8_t), .per = 1}},
        {&deformable->scratch, {.size = sizeof(double), .per = 3}},
        {&deformable->order, {.size = sizeof(int32_t), .per = 1}},
        {&deformable->vertices, {.size = sizeof(int32_t), .per = 1}},
    };
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!pli_grow_array(&world->memory, own[i].array, &own[i].shape, deformable->capacity, capacity))
            return false;
    return pli_attributes_grow(&world->memory, deformable, capacity) &&
           pli_features_grow(&world->memory, deformable, capacity);
}

static bool grow_chunks(pli_world *world, pli_deformable_data *deformable, int32_t capacity)
{
    pli_contact_pool *pool = deformable->pool;
    int32_t contacts = capacity / PLI_CONTACT_GRAIN + 1;
    int32_t sums = deformable->capacity / PLI_PARTICLE_GRAIN + 1, more_sums = capacity / PLI_PARTICLE_GRAIN + 1;
    const pli_feature_array by_sum = {.size = sizeof(double), .per = PLI_MOTION_SUM_COUNT};
    const pli_feature_array counts = {.size = sizeof(int32_t), .per = 1};
    const pli_feature_array groups = {.size = sizeof(pli_contact_group), .per = pool->capacity};
    if (!pli_grow_array(&world->memory, &deformable->momentum->sums, &by_sum, sums, more_sums) ||
        !pli_grow_array(&world->memory, &pool->groups, &groups, pool->chunk_count, contacts) ||
        !pli_grow_array(&world->memory, &pool->counts, &counts, pool->chunk_count, contacts))
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
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        pli_links_move_dummy(set, dummy);
        complete = (!set->links || pli_links_widen(world, set)) && complete;
    }
    return complete;
}
