// A request to end long work early. It is stored with the tasks that do the work, with and without threads.
#ifndef PLI_BASE_STOP_REQUEST_H
#define PLI_BASE_STOP_REQUEST_H

#include "base/tasks.h"

typedef struct pli_stop_request {
    _Atomic bool wanted; // Read only while `watched` is set.
    bool watched;
    double deadline; // [s], on the clock of pli_seconds.
} pli_stop_request;

// Requests a stop. Long work polls the request (pli_tasks_must_stop) and ends early, without a result. The request is
// polled while `watch` is on, and stays until it is cleared. pli_tasks_stop may be called from any thread and from a
// signal handler.
void pli_tasks_stop(pli_tasks *tasks);
// Stops as if requested after pli_seconds() exceeds `deadline` [s]; INFINITY for never.
void pli_tasks_watch(pli_tasks *tasks, bool watch, double deadline);
bool pli_tasks_must_stop(pli_tasks *tasks);
// Clears the request. Returns whether there was one.
bool pli_tasks_take_stop(pli_tasks *tasks);

#endif
