// The table of scenarios, and running one.
#ifndef BENCH_SCENARIOS_H
#define BENCH_SCENARIOS_H

#include "bench/scenarios/scenario.h"

int32_t bench_scenario_count(void);
const bench_scenario *bench_scenario_at(int32_t i);
// Can the scenario be run from the working directory? Those of scene files need the folder `scenes` there.
bool bench_scenario_is_there(const bench_scenario *scenario);

// Creates the world of a scenario for `threads` threads. Null with the error.
bench_live *bench_live_create(const bench_scenario *scenario, int32_t threads, pli_simd simd, pli_error *error);
void bench_live_destroy(bench_live *live);
// Sets the targets of moving objects for `time` [s], which the next step reaches.
pli_status bench_live_move(bench_live *live, double time, pli_error *error);
// Steps from `frame` to `frame` + 1, with moving objects at the places they have then. Frame 0 is the start.
pli_status bench_live_step(bench_live *live, int32_t frame, pli_error *error);

#endif
