// Requests to end long work early: from another thread, from a signal handler, or at a deadline.
#include "base/stop_request.h"

#include "base/timer.h"

#include <math.h>
#include <stdatomic.h>

void pli_tasks_stop(pli_tasks *tasks) { atomic_store(&pli_tasks_stop_request(tasks)->wanted, true); }

void pli_tasks_watch(pli_tasks *tasks, bool watch, double deadline)
{
    pli_stop_request *request = pli_tasks_stop_request(tasks);
    request->watched = watch;
    request->deadline = deadline;
}

bool pli_tasks_must_stop(pli_tasks *tasks)
{
    const pli_stop_request *request = pli_tasks_stop_request(tasks);
    if (!request->watched)
        return false;
    if (request->deadline < INFINITY && pli_seconds() > request->deadline)
        pli_tasks_stop(tasks);
    return atomic_load_explicit(&request->wanted, memory_order_relaxed);
}

bool pli_tasks_take_stop(pli_tasks *tasks) { return atomic_exchange(&pli_tasks_stop_request(tasks)->wanted, false); }
