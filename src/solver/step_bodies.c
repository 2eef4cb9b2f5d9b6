// How the world's threads share the work of a stage on deformables.
#include "solver/step.h"

typedef struct body_tasks {
    const pli_substep *substep;
    pli_body_work work;
} body_tasks;

// A thread takes a small deformable as a whole: sharing it out would take longer.
static bool is_small(const pli_body *body) { return body->count <= PLI_PARTICLE_GRAIN; }

static void work_small(void *data, int32_t i)
{
    const body_tasks *tasks = data;
    pli_body *body = pli_body_at(tasks->substep->world, i);
    bool before = pli_tasks_mark(true);
    if (is_small(body))
        tasks->work(tasks->substep, body);
    pli_tasks_mark(before);
}

void pli_for_bodies(const pli_substep *s, pli_body_work work)
{
    pli_world *world = s->world;
    body_tasks tasks = {s, work};
    int32_t small = 0;
    for (int32_t i = 0; i < world->bodies.count; i++)
        small += is_small(pli_body_at(world, i));
    bool together = small > 1 && !world->blame;
    if (together)
        pli_tasks_run(world->tasks, world->bodies.count, work_small, &tasks);
    for (int32_t i = 0; i < world->bodies.count; i++)
        if (!together || !is_small(pli_body_at(world, i)))
            work(s, pli_body_at(world, i));
}
