// Processes that run the points of a study, so many at a time.
#ifndef PLI_CLI_WORKERS_H
#define PLI_CLI_WORKERS_H

#include "sweep/study.h"

typedef struct pli_cli_sweep {
    const pli_cli_study *study;
    const char *folder;
    int32_t first, end; // Points of this call.
    int32_t jobs;
    bool retry; // Points that have failed, too.
    bool quiet;
} pli_cli_sweep;

// Runs the points that are left, each by `pliant run` in a process of its own. CANCELLED after a signal that asks to stop
// (frame/signals.h), which the processes are told of and finish their frame on.
pli_status pli_cli_sweep_run(const pli_cli_sweep *sweep, pli_error *error);

#endif
