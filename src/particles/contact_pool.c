// The feature "pool": the contacts of a deformable with analytic shapes (particles/contact_pool.h).
#include "particles/contact_pool.h"

static bool create(pli_world *world, pli_deformable_data *deformable)
{
    pli_contact_pool *pool = deformable->pool;
    pool->chunk_count = deformable->capacity / PLI_CONTACT_GRAIN + 1;
    pool->counts = PLI_ALLOCATE(&world->memory, int32_t, pool->chunk_count);
    return pool->counts != NULL;
}

static void destroy(pli_world *world, pli_deformable_data *deformable)
{
    const pli_contact_pool *pool = deformable->pool;
    void *arrays[] = {pool->groups, pool->counts, pool->filter_answers, pool->next_filter_answers};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
}

const pli_feature pli_feature_pool = {
    .name = "contacts with shapes",
    PLI_FEATURE_STATE(pli_contact_pool, pool),
    .create = create,
    .destroy = destroy,
};
