// Parallel loops on the thread pool of the library or on the threads of the application.
#ifndef PLI_BASE_TASKS_H
#define PLI_BASE_TASKS_H

#include "base/memory.h"

typedef struct pli_tasks pli_tasks;

// Creates a pool of `thread_count` threads, including the calling thread, or wraps the pool of the application when
// hooks->run is set. Returns null when memory ran out.
pli_tasks *pli_tasks_create(pli_memory *memory, int32_t thread_count, const pli_task_hooks *hooks);
void pli_tasks_destroy(pli_memory *memory, pli_tasks *tasks);

// Calls task(data, i) for i in [0, count) and returns when all are done. A single item runs on this thread, and so do all if `tasks` is
// null.
void pli_tasks_run(pli_tasks *tasks, int32_t count, pli_task task, void *data);

// Returns the number of items of a loop started here that are certain to run concurrently and may therefore wait for
// one another: the threads of the pool; 1 inside a task; 0 where the application runs loops.
int32_t pli_tasks_width(const pli_tasks *tasks);
// Pauses inside a loop that waits for another item: spins, then yields. `spins` is 0 before the loop.
void pli_tasks_pause(int32_t *spins);

// Between wake and sleep the threads stay awake once a loop has needed them, so that short loops start quickly.
void pli_tasks_wake(pli_tasks *tasks);
void pli_tasks_sleep(pli_tasks *tasks);

// Returns the stop request that these tasks poll (base/stop_request.h).
struct pli_stop_request *pli_tasks_stop_request(pli_tasks *tasks);

// Marks whether this thread is inside a task, where nested loops run on this thread. Returns the mark before.
bool pli_tasks_mark(bool inside);

#endif
