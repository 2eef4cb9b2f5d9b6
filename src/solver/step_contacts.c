// Contacts in the step: particles with shapes, in chunks of particles that threads share; and surfaces.
#include "collision/push.h"
#include "solver/filter.h"
#include "solver/step.h"
#include "solver/surfaces.h"

static pli_contact_job contact_job(const pli_substep *s, pli_body *body)
{
    return (pli_contact_job){
        .particles = body->particles,
        .velocities = body->velocities,
        .previous = body->previous,
        .count = body->count,
        .shapes = s->world->shapes,
        .around = &s->world->shape_tree,
        .near = s->world->kernels->near,
        .thickness = body->thickness,
        .step = s->step,
        .bounce = s->bounce,
        .layers = body->def.layers,
        .mask = body->def.mask,
    };
}

typedef struct contact_work {
    pli_contact_job job;
    const pli_smooth_kernels *kernels;
    pli_contact_pool *pool;
} contact_work;

static void find_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    int32_t begin = chunk * PLI_CONTACT_GRAIN;
    int32_t end = work->job.count - begin > PLI_CONTACT_GRAIN ? begin + PLI_CONTACT_GRAIN : work->job.count;
    work->pool->counts[chunk] = pli_contacts_find(&work->job, work->kernels, begin, end,
                                                  pli_chunk_contacts(work->pool, chunk), work->pool->capacity);
}

static void project_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    work->kernels->project(&work->job, pli_chunk_contacts(work->pool, chunk), work->pool->counts[chunk]);
}

static void update_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    work->kernels->update(&work->job, pli_chunk_contacts(work->pool, chunk), work->pool->counts[chunk]);
}

// Grows the room of every chunk when one overflowed. False when none did, or memory ran out, which
// ends the step.
static bool grow_pool(pli_world *world, pli_contact_pool *pool)
{
    int32_t most = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        most = pool->counts[chunk] > most ? pool->counts[chunk] : most;
    if (most <= pool->capacity)
        return false;
    int32_t capacity = most + most / 2;
    pli_contact_group *groups = PLI_ALLOCATE(&world->memory, pli_contact_group, (int64_t)capacity * pool->chunk_count);
    if (groups) {
        pli_release(&world->memory, pool->groups);
        pool->groups = groups;
        pool->capacity = capacity;
        return true;
    }
    world->starved = true;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        if (pool->counts[chunk] > pool->capacity)
            pool->counts[chunk] = pool->capacity;
    return false;
}

static void run_contacts(const pli_substep *s, pli_body *body, pli_task task)
{
    contact_work work = {contact_job(s, body), s->world->kernels->smooth, &body->pool};
    pli_tasks_run(s->world->tasks, body->pool.chunk_count, task, &work);
}

static void find_of_body(const pli_substep *s, pli_body *body) { run_contacts(s, body, find_chunk); }
static void project_of_body(const pli_substep *s, pli_body *body) { run_contacts(s, body, project_chunk); }
static void update_of_body(const pli_substep *s, pli_body *body) { run_contacts(s, body, update_chunk); }

static void for_contacts(const pli_substep *s, pli_body_work work)
{
    if (s->world->solids.count > 0)
        pli_for_bodies(s, work);
}

static void drop_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->bodies.count; i++)
        for (int32_t chunk = 0; chunk < pli_body_at(world, i)->pool.chunk_count; chunk++)
            pli_body_at(world, i)->pool.counts[chunk] = 0;
}

void pli_step_find_contacts(const pli_substep *s)
{
    drop_contacts(s->world);
    for_contacts(s, find_of_body);
    bool grown = false;
    for (int32_t i = 0; i < s->world->bodies.count && s->world->solids.count > 0; i++)
        grown = grow_pool(s->world, &pli_body_at(s->world, i)->pool) || grown;
    if (grown)
        for_contacts(s, find_of_body);
    pli_world_filter_contacts(s->world);
    pli_world_find_surfaces(s->world, s->step, s->left);
}

void pli_step_project_contacts(const pli_substep *s)
{
    for_contacts(s, project_of_body);
    if (pli_world_has_surfaces(s->world) && !s->world->starved)
        pli_space_project(&s->world->space);
}

void pli_step_rub_contacts(const pli_substep *s)
{
    for_contacts(s, update_of_body);
    if (pli_world_has_surfaces(s->world) && !s->world->starved)
        pli_space_rebound(&s->world->space, s->bounce);
}

bool pli_is_pushed(const pli_world *world, const pli_body *body)
{
    for (int32_t chunk = 0; chunk < body->pool.chunk_count && world->solids.count > 0; chunk++)
        if (pli_contacts_push(pli_chunk_contacts(&body->pool, chunk), body->pool.counts[chunk]))
            return true;
    return false;
}
