// Measures bandwidth by the triad a[i] = b[i] + s c[i] of McCalpin's STREAM.
#ifndef BENCH_TRIAD_H
#define BENCH_TRIAD_H

#include "bench/bench.h"

// Bandwidth of a triad over arrays of `bytes` altogether, by `threads` threads [bytes/s]. 0 without memory.
double bench_triad(bench_run *run, int64_t bytes, int32_t threads);

// The function that a case points to.
bool bench_measure_triad(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);

#endif
