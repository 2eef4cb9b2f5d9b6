// Processes that run the points of a study, up to a given number at a time.
#ifndef PLI_CLI_WORKERS_H
#define PLI_CLI_WORKERS_H

#include "sweep/study.h"

typedef struct pli_cli_sweep {
    const pli_cli_study *study;
    const char *folder;
    int32_t first, end; // Points of this call.
    int32_t jobs;
    bool retry; // Whether failed points are run again.
    bool quiet;
} pli_cli_sweep;

// Runs the remaining points, each by `pliant run` in its own process. CANCELLED after a signal that requests a stop (frame/signals.h):
// the processes are notified and finish their current frame.
pli_status pli_cli_sweep_run(const pli_cli_sweep *sweep, pli_error *error);

#endif
