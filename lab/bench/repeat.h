// Runs of the benchmark, and repeated work with its median, minimum and maximum.
#ifndef BENCH_REPEAT_H
#define BENCH_REPEAT_H

#include "bench/bench.h"

// Creates the values shared by consecutive cases, such as the mesh.
bench_run *bench_run_create(int32_t repetitions, double seconds, bool (*cancelled)(void));
void bench_run_destroy(bench_run *run);
// Was the run cancelled? Then with the error.
bool bench_is_cancelled(const bench_run *run, pli_error *error);

// Seconds of a monotonic clock.
double bench_seconds(void);

// Does the work `count` times and returns the seconds it took; negative with the error.
typedef double (*bench_work)(void *user, int32_t count, pli_error *error);

// Returns the median, minimum and maximum of the values, and sorts them.
bench_sample bench_sample_of(double *values, int32_t count);

// Repeats the work: a repetition lasts at least run->seconds and its figure is the mean of it; long work has fewer
// repetitions (3 at least). The sample is in seconds for one piece of work. False with the error.
bool bench_repeat(const bench_run *run, bench_work work, void *user, bench_sample *sample, pli_error *error);

// Returns the remembered values of a key, or null; and an entry for new ones, replacing the oldest when full.
double *bench_recall(bench_run *run, const int64_t key[5]);
double *bench_remember(bench_run *run, const int64_t key[5]);

// Steps a world by `count` frames. False with the error, CANCELLED on request.
bool bench_frames(const bench_run *run, pli_world *world, int32_t count, pli_error *error);

#endif
