// Parallel loops on a pool of our own or on the host's threads.
#ifndef PLI_BASE_TASKS_H
#define PLI_BASE_TASKS_H

#include "base/memory.h"

typedef struct pli_tasks pli_tasks;

// A pool of `thread_count` threads with the caller's, or the host's when hooks->run is set.
pli_tasks *pli_tasks_create(pli_memory *memory, int32_t thread_count, const pli_task_hooks *hooks);
void pli_tasks_destroy(pli_memory *memory, pli_tasks *tasks);

// Calls task(data, i) for i in [0, count) and returns when all are done. A single item runs here.
void pli_tasks_run(pli_tasks *tasks, int32_t count, pli_task task, void *data);

// How many items of a loop that begins here are sure to be run side by side, so that they may wait for one another: the
// pool's threads; 1 within a task; 0 where the host runs loops.
int32_t pli_tasks_width(const pli_tasks *tasks);
// For those that wait for one another, in a loop; `spins` is 0 at first.
void pli_tasks_pause(int32_t *spins);

// Between these the pool's threads stay awake from the first loop on that needs them, so that short loops start quickly.
void pli_tasks_wake(pli_tasks *tasks);
void pli_tasks_sleep(pli_tasks *tasks);

// Marks that this thread is inside a task: loops within it run here. Says what held before.
bool pli_tasks_mark(bool inside);

#endif
