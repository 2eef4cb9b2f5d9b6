// Divides the work of a stage on deformables among the world's threads.
#include "step/step.h"

#include "base/timer.h"

typedef struct deformable_tasks {
    const pli_substep *substep;
    pli_deformable_work work;
} deformable_tasks;

// A small deformable is one task: dividing it would take longer.
static bool is_small(const pli_deformable_data *deformable) { return deformable->count <= PLI_PARTICLE_GRAIN; }

// Time is measured in the first substep only: for small deformables, a measurement in each substep costs too much.
static void work_timed(const deformable_tasks *tasks, pli_deformable_data *deformable)
{
    bool timed = tasks->substep->left == tasks->substep->world->substep_count;
    double start = timed ? pli_seconds() : 0.0;
    tasks->work(tasks->substep, deformable);
    deformable->during.seconds += timed ? pli_seconds() - start : 0.0;
}

static void work_small(void *data, int32_t i)
{
    const deformable_tasks *tasks = data;
    pli_deformable_data *deformable = pli_deformable_at(tasks->substep->world, i);
    bool before = pli_tasks_mark(true);
    if (is_small(deformable) && !deformable->idle)
        work_timed(tasks, deformable);
    pli_tasks_mark(before);
}

void pli_for_deformables(const pli_substep *s, pli_deformable_work work)
{
    pli_world *world = s->world;
    deformable_tasks tasks = {s, work};
    int32_t small = 0;
    for (int32_t i = 0; i < world->deformables.count; i++)
        small += is_small(pli_deformable_at(world, i)) && !pli_deformable_at(world, i)->idle;
    bool together = small > 1 && !pli_world_is_watched(world);
    if (together)
        pli_tasks_run(world->tasks, world->deformables.count, work_small, &tasks);
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && (!together || !is_small(pli_deformable_at(world, i))))
            work_timed(&tasks, pli_deformable_at(world, i));
}
