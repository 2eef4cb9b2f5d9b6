// Steps many worlds in one call: each world is a task, and its own loops run on the thread of that task, so that threads do not wait for
// each other.
#include "base/tasks.h"
#include "model/handles.h"
#include "step/step.h"

#include <pliant/world.h>

typedef struct worlds_step {
    pli_world *const *worlds;
    float dt;
    pli_status *statuses; // [count]
    pli_error *errors;    // [count]
} worlds_step;

static void step_one(void *data, int32_t i)
{
    const worlds_step *step = data;
    bool before = pli_tasks_mark(true);
    step->statuses[i] = pli_world_step_begun(step->worlds[i], step->dt, &step->errors[i]);
    pli_tasks_mark(before);
}

// Checks the list of worlds. Returns the index of the first world that is null or a duplicate; `count` if there is none.
static int32_t take_part(pli_world *const *worlds, int32_t count)
{
    int32_t taken = 0;
    while (taken < count && worlds[taken] && !worlds[taken]->among_many)
        worlds[taken++]->among_many = true;
    for (int32_t i = 0; i < taken; i++)
        worlds[i]->among_many = false;
    return taken;
}

static pli_status first_failure(const worlds_step *step, int32_t count, pli_error *error)
{
    for (int32_t i = 0; i < count; i++)
        if (step->statuses[i] != PLI_STATUS_OK)
            return pli_fail(error, step->statuses[i], "world %d: %.470s", (int)i, step->errors[i].message);
    return pli_succeed(error);
}

pli_status pli_worlds_step(pli_world *const *worlds, int32_t count, float dt, int32_t thread_count,
                           pli_status *statuses, pli_error *error)
{
    const pli_task_hooks none = {NULL, NULL};
    if (count < 0 || thread_count < 1)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "%d worlds on %d threads; give no fewer than 0 worlds and 1 thread", (int)count,
                        (int)thread_count);
    int32_t at = take_part(worlds, count);
    if (at < count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "world %d is %s; no world was stepped", (int)at,
                        worlds[at] ? "in the list twice" : "null");
    for (int32_t i = 0; i < count; i++)
        if (!pli_world_may_change(worlds[i], error))
            return PLI_STATUS_INVALID_ARGUMENT;
    pli_memory memory = pli_memory_make(count ? &worlds[0]->memory.hooks : NULL);
    worlds_step step = {worlds, dt, PLI_ALLOCATE(&memory, pli_status, count), PLI_ALLOCATE(&memory, pli_error, count)};
    pli_tasks *tasks = pli_tasks_create(&memory, thread_count < count ? thread_count : count, &none);
    pli_status status = PLI_STATUS_OUT_OF_MEMORY;
    if (step.statuses && step.errors && tasks) {
        for (int32_t i = 0; i < count; i++)
            pli_world_begin_call(worlds[i]);
        pli_tasks_wake(tasks);
        pli_tasks_run(tasks, count, step_one, &step);
        for (int32_t i = 0; i < count; i++)
            pli_world_end_call(worlds[i]);
        status = first_failure(&step, count, error);
        for (int32_t i = 0; statuses && i < count; i++)
            statuses[i] = step.statuses[i];
    } else {
        pli_fail(error, status, "out of memory for the threads of %d worlds; no world was stepped", (int)count);
    }
    pli_tasks_destroy(&memory, tasks);
    pli_release(&memory, step.errors);
    pli_release(&memory, step.statuses);
    return status;
}

pli_status pli_world_step(pli_world *world, float dt, pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL);
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_world_begin_call(world);
    pli_status status = pli_world_step_begun(world, dt, error);
    pli_world_end_call(world);
    return status;
}
