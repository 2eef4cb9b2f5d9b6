// A request to end long work early, kept with the tasks that do it, with threads and without.
#ifndef PLI_BASE_STOP_REQUEST_H
#define PLI_BASE_STOP_REQUEST_H

#include "base/tasks.h"

typedef struct pli_stop_request {
    _Atomic bool wanted; // Looked at while `watched`.
    bool watched;
    double deadline; // [s], on the clock of pli_seconds.
} pli_stop_request;

// A request to stop, which work that takes long looks at (pli_tasks_must_stop) and ends early, without a result. It is looked
// at while `watch` is on, and stays until it is taken. pli_tasks_stop may be called from any thread and from a signal
// handler.
void pli_tasks_stop(pli_tasks *tasks);
// Stops as if requested once pli_seconds() is past `deadline` [s]; INFINITY for never.
void pli_tasks_watch(pli_tasks *tasks, bool watch, double deadline);
bool pli_tasks_must_stop(pli_tasks *tasks);
// Takes the request away. Returns whether there was one.
bool pli_tasks_take_stop(pli_tasks *tasks);

#endif
