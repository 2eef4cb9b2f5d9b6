// How far a long task is: a bar on a terminal, plain lines elsewhere. All of it on stderr.
#ifndef PLI_CLI_PROGRESS_H
#define PLI_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct pli_cli_progress {
    const char *what; // Such as "simulating".
    int32_t first, last;
    bool quiet;
    int32_t columns; // 0 when stderr is no terminal.
    double start, drawn;
    int32_t said; // Tenths that were said in plain lines.
} pli_cli_progress;

// Work goes from `first` to `last` frames.
void pli_cli_progress_start(pli_cli_progress *progress, const char *what, int32_t first, int32_t last, bool quiet);
void pli_cli_progress_show(pli_cli_progress *progress, int32_t done);
// Leaves the terminal clean for what is printed next.
void pli_cli_progress_end(pli_cli_progress *progress);
// Seconds of a clock that only goes forward.
double pli_cli_now(void);

#endif
