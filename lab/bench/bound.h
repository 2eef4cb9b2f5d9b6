// The limit of a scene: its frame by the kernels of machine_limit.h, and the time of their memory traffic.
#ifndef BENCH_BOUND_H
#define BENCH_BOUND_H

#include "bench/bench.h"

// Seconds of the same frame (or, with substeps 0, of the same sweeps) by the limit's kernels and by their memory
// traffic. NaN where no kernel does that work.
void bench_limit(bench_run *run, const bench_scene *scene, int64_t projections, double *kernels, double *bandwidth);

#endif
