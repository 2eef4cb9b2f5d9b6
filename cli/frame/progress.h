// Progress of a long task on stderr: a bar on a terminal, plain lines elsewhere.
#ifndef PLI_CLI_PROGRESS_H
#define PLI_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_cli_progress {
    const char *what; // Name of the task, such as "simulating".
    const char *unit; // Unit of the count; "frame" unless it is set after the start.
    int32_t first, last;
    bool quiet;
    int32_t columns; // Width of the terminal; 0 when stderr is not a terminal.
    double start, drawn;
    int32_t said; // Tenths already printed as plain lines.
} pli_cli_progress;

// Starts a task from frame `first` to frame `last`.
void pli_cli_progress_start(pli_cli_progress *progress, const char *what, int32_t first, int32_t last, bool quiet);
void pli_cli_progress_show(pli_cli_progress *progress, int32_t done);
// Clears the bar from the terminal.
void pli_cli_progress_end(pli_cli_progress *progress);
// Seconds of a monotonic clock.
double pli_cli_now(void);

#endif
