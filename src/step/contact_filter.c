// The user's contact filter. Its answers for particle contacts are kept during a step, so that it is called once for each pair.
#include "step/contact_filter.h"

#include "collision/shape_contact/shape_contact.h"
#include "model/handles.h"
#include "query/contact_side.h"
#include "particles/contact_pool.h"

static bool ask_surfaces(void *user, const pli_side *a, const pli_side *b)
{
    const pli_world *world = user;
    pli_contact_side first = pli_side_of_surface(world, a->surface->collider ? b : a);
    pli_contact_side second = pli_side_of_surface(world, a->surface->collider ? a : b);
    return world->callbacks.filter(world->callbacks.filter_user, &first, &second);
}

void pli_world_set_contact_filter(pli_world *world, pli_contact_filter filter, void *user)
{
    if (!pli_world_may_change(world, NULL))
        return;
    world->callbacks.filter = filter;
    world->callbacks.filter_user = user;
    world->collision.filter.allows = filter ? ask_surfaces : NULL;
    world->collision.filter.user = world;
    // Pairs that the old filter rejected may intersect.
    pli_collision_expect_intersections(&world->collision);
}

static bool ask_particle(const pli_world *world, const pli_deformable_data *deformable, int32_t particle,
                         int32_t collider)
{
    pli_contact_side a = pli_side_of_particle(world, deformable, particle);
    pli_contact_side b = pli_side_of_collider(world, collider);
    return world->callbacks.filter(world->callbacks.filter_user, &a, &b);
}

// Looks up the pair in the answers of the previous substep. Contacts and answers have the same order, so one pass over
// them suffices.
static bool answer_for(const pli_world *world, const pli_deformable_data *deformable, int32_t particle,
                       int32_t collider, int32_t *known)
{
    const pli_contact_pool *pool = deformable->pool;
    while (*known < pool->filter_answer_count &&
           pli_contact_before(pool->filter_answers[*known].particle, pool->filter_answers[*known].collider, particle,
                              collider))
        ++*known;
    const pli_filter_answer *v = *known < pool->filter_answer_count ? &pool->filter_answers[*known] : NULL;
    if (v && v->particle == particle && v->collider == collider)
        return v->allowed;
    return ask_particle(world, deformable, particle, collider);
}

static int32_t filter_group(const pli_world *world, pli_deformable_data *deformable, pli_contact_group *group,
                            int32_t *known, int32_t next)
{
    for (int32_t lane = 0; lane < PLI_BATCH; lane++) {
        if (!pli_contact_at(group, lane))
            continue;
        bool allowed = answer_for(world, deformable, group->first + lane, group->collider, known);
        deformable->pool->next_filter_answers[next++] = (pli_filter_answer){group->first + lane, group->collider,
                                                                            allowed};
        if (!allowed)
            pli_contact_drop(group, lane);
    }
    return next;
}

static bool filter_deformable(pli_world *world, pli_deformable_data *deformable)
{
    pli_contact_pool *pool = deformable->pool;
    int64_t total = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        total += pli_contacts_count(pli_chunk_contacts(pool, chunk), pool->counts[chunk]);
    if (!pli_reserve(&world->memory, &pool->next_filter_answers, &pool->next_capacity, total,
                     sizeof(pli_filter_answer)))
        return false;
    int32_t known = 0, next = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        for (int32_t i = 0; i < pool->counts[chunk]; i++)
            next = filter_group(world, deformable, &pli_chunk_contacts(pool, chunk)[i], &known, next);
    pli_filter_answer *filter_answers = pool->filter_answers;
    int32_t capacity = pool->filter_answer_capacity;
    pool->filter_answers = pool->next_filter_answers, pool->filter_answer_capacity = pool->next_capacity,
    pool->filter_answer_count = next;
    pool->next_filter_answers = filter_answers, pool->next_capacity = capacity;
    return true;
}

void pli_world_filter_contacts(pli_world *world)
{
    if (!world->callbacks.filter || world->colliders.count == 0)
        return;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!filter_deformable(world, pli_deformable_at(world, i)))
            world->out_of_memory = true;
}

static void forget_answers(pli_world *world, float dt)
{
    (void)dt;
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_at(world, i)->pool->filter_answer_count = 0;
}

/* ---- the feature -------------------------------------------------------------------------------- */

static bool create_contact_filter(pli_world *world, pli_deformable_data *deformable)
{
    pli_contact_pool *pool = deformable->pool;
    pool->chunk_count = deformable->capacity / PLI_CONTACT_GRAIN + 1;
    pool->counts = PLI_ALLOCATE(&world->memory, int32_t, pool->chunk_count);
    return pool->counts != NULL;
}

static void destroy_contact_filter(pli_world *world, pli_deformable_data *deformable)
{
    const pli_contact_pool *pool = deformable->pool;
    void *arrays[] = {pool->groups, pool->counts, pool->filter_answers, pool->next_filter_answers};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
}

const pli_feature pli_feature_pool = {
    .name = "contacts with shapes",
    PLI_FEATURE_STATE(pli_contact_pool, pool),
    .create = create_contact_filter,
    .destroy = destroy_contact_filter,
    .start = forget_answers,
};
