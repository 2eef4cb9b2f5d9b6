// A request to end long work early, kept with the tasks that do it: behind pli_tasks_stop and its kin (tasks.h), with threads and
// without.
#ifndef PLI_BASE_STOP_REQUEST_H
#define PLI_BASE_STOP_REQUEST_H

#include "base/tasks.h"

typedef struct pli_stop_request {
    _Atomic bool wanted; // Looked at while `watched`.
    bool watched;
    double deadline; // [s], on the clock of pli_seconds.
} pli_stop_request;

// The request of these tasks; each implementation of tasks has one.
pli_stop_request *pli_tasks_stop_request(pli_tasks *tasks);

#endif
