// The table of experiments: one line each, in the order in which `all` runs them.
#include "lab.h"

#include <stddef.h>

#define ROWS(ROW)                                                                                                      \
    ROW(kelager_table1)                                                                                                \
    ROW(kelager_fig3)                                                                                                  \
    ROW(kelager_fig7)

#define DECLARE(name) extern const lab_experiment lab_##name;
#define REFER(name) &lab_##name,

ROWS(DECLARE)

static const lab_experiment *const rows[] = {ROWS(REFER)};

int32_t lab_experiment_count(void) { return (int32_t)(sizeof rows / sizeof *rows); }

const lab_experiment *lab_experiment_at(int32_t i) { return i >= 0 && i < lab_experiment_count() ? rows[i] : NULL; }
