// Builds the scenarios of the bunny, draped with a cloth and blown up.
#ifndef BENCH_BUNNY_H
#define BENCH_BUNNY_H

#include "bench/scenarios/scenario.h"

// A cloth falls over the bunny; the bunny is blown up and falls.
pli_status bench_build_bunny_draped(bench_live *live, int32_t side, pli_error *error);
pli_status bench_build_bunny_inflated(bench_live *live, int32_t unused, pli_error *error);

#endif
