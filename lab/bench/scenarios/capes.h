// Builds the scenarios of capes that hang from walking characters.
#ifndef BENCH_CAPES_H
#define BENCH_CAPES_H

#include "bench/scenarios/scenario.h"

// A cape on the shoulders of a walking character; small capes on `count` characters.
pli_status bench_build_cape(bench_live *live, int32_t columns, pli_error *error);
pli_status bench_build_crowd(bench_live *live, int32_t count, pli_error *error);

#endif
