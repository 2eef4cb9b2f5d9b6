// Runs tasks in order on one thread, for platforms without threads. A runner of the application is used as on other platforms.
#include "base/tasks.h"

#include "base/stop_request.h"

struct pli_tasks {
    pli_task_hooks hooks;
    pli_stop_request request;
};

pli_stop_request *pli_tasks_stop_request(pli_tasks *tasks) { return &tasks->request; }

pli_tasks *pli_tasks_create(pli_memory *memory, int32_t thread_count, const pli_task_hooks *hooks)
{
    (void)thread_count;
    pli_tasks *tasks = PLI_ALLOCATE(memory, pli_tasks, 1);
    if (tasks)
        tasks->hooks = *hooks;
    return tasks;
}

void pli_tasks_destroy(pli_memory *memory, pli_tasks *tasks) { pli_release(memory, tasks); }

void pli_tasks_wake(pli_tasks *tasks) { (void)tasks; }

void pli_tasks_sleep(pli_tasks *tasks) { (void)tasks; }

#ifdef __wasm_atomics__ // Workers of a page run tasks, each with its own mark.
static _Thread_local bool inside_task;
#else
static bool inside_task;
#endif

bool pli_tasks_mark(bool inside)
{
    bool before = inside_task;
    inside_task = inside;
    return before;
}

int32_t pli_tasks_width(const pli_tasks *tasks) { return !inside_task && tasks->hooks.run ? 0 : 1; }

void pli_tasks_pause(int32_t *spins) { (void)spins; }

void pli_tasks_run(pli_tasks *tasks, int32_t count, pli_task task, void *data)
{
    if (tasks && count > 1 && !inside_task && tasks->hooks.run) {
        tasks->hooks.run(tasks->hooks.user, count, task, data);
        return;
    }
    for (int32_t i = 0; i < count; i++)
        task(data, i);
}
