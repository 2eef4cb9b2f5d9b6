// The parts of the benchmark: repetition, worlds, limits, triads.
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench.h"

// Limits and triads that were measured, shared by cases of one kind.
typedef struct bench_memory_entry {
    int64_t key[5];
    double values[2];
} bench_memory_entry;
enum { BENCH_MEMORY_MAX = 24 };

struct bench_run {
    int32_t repetitions;
    double seconds; // Least duration of a repetition [s].
    bool (*cancelled)(void);
    pli_mesh *mesh; // The last mesh, whose key is mesh_key.
    int64_t mesh_key[5];
    bench_memory_entry memory[BENCH_MEMORY_MAX];
    int32_t memory_count;
};

// Seconds of a monotonic clock.
double bench_seconds(void);

// Does the work `count` times and returns the seconds it took; negative with the error.
typedef double (*bench_work)(void *user, int32_t count, pli_error *error);

// Repeats the work: a repetition lasts at least run->seconds and its figure is the mean of it; long work has fewer
// repetitions (3 at least). The sample is in seconds for one piece of work. False with the error.
bool bench_repeat(const bench_run *run, bench_work work, void *user, bench_sample *sample, pli_error *error);

// Returns the remembered values of a key, or null; and an entry for new ones, replacing the oldest when full.
double *bench_recall(bench_run *run, const int64_t key[5]);
double *bench_remember(bench_run *run, const int64_t key[5]);

// Bandwidth of a triad over arrays of `bytes` altogether, by `threads` threads [bytes/s]. 0 without memory.
double bench_triad(bench_run *run, int64_t bytes, int32_t threads);

// Seconds of the same frame (or, with substeps 0, of the same sweeps) by the limit's kernels and by their memory
// traffic. NaN where no kernel does that work.
void bench_limit(bench_run *run, const bench_scene *scene, int64_t projections, double *kernels, double *bandwidth);

// The mesh of a sheet, kept in the run until another is needed. Null with the error.
pli_mesh *bench_mesh(bench_run *run, const bench_scene *scene, pli_error *error);
// The cooked form of a world, which the next world reads.
typedef struct bench_cooked {
    void *bytes; // Null for none.
    size_t size;
} bench_cooked;

// Creates a world of the scene with `mesh`; its sets are read from `cooked` where that is not null. Null with the
// error.
pli_world *bench_world(const bench_scene *scene, const pli_mesh *mesh, const bench_cooked *cooked, pli_error *error);
// Steps a world by `count` frames. False with the error, CANCELLED on request.
bool bench_frames(const bench_run *run, pli_world *world, int32_t count, pli_error *error);

// The functions that a case points to, one for each kind of measurement.
bool bench_measure_triad(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_projection(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
// Measures the contact search of a frame, per vertex.
bool bench_measure_contacts(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
// Measures a scenario: each frame of one run is a repetition.
bool bench_measure_typical(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_frame(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_cooking(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_reading(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);
bool bench_measure_mesh(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error);

#endif
