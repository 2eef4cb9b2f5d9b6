// Measures a scenario: wall time and processor time of every frame, with its stages.
#ifndef BENCH_TYPICAL_H
#define BENCH_TYPICAL_H

#include "bench/bench.h"

// Measures a scenario: each frame of one run is a repetition.
bool bench_measure_typical(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);

#endif
