// Builds the scenario of a curtain, whose clips are drawn together.
#ifndef BENCH_CURTAIN_H
#define BENCH_CURTAIN_H

#include "bench/scenarios/scenario.h"

// A sheet hangs from clips that are drawn together, so that it folds into itself.
pli_status bench_build_curtain(bench_live *live, int32_t side, pli_error *error);

#endif
