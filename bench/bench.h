// What the benchmark's parts share. Public headers of the library only.
#ifndef BENCH_H
#define BENCH_H

#include <pliant/pliant.h>

// One row: a scene, run in one configuration.
typedef struct bench_case {
    const char *name;
    int32_t columns, rows;
    pli_grid_pattern pattern;
    const char *bending; // Constraint type beside the distances; null for none.
    pli_method method;
    pli_order order;
    int32_t substeps, iterations;
    pli_simd simd;
    int32_t threads;
} bench_case;

typedef struct bench_result {
    double median, least, most;     // ms a frame
    double per_projection;          // ns, of the median frame
    int64_t projections;            // a frame
    double stretch_rms, stretch_max, bytes_per_particle;
    uint64_t hash;
    int32_t repetitions, frames;
} bench_result;

// Runs a case: `warm` frames, then `repetitions` times `frames` frames. False with a message on stderr.
bool bench_run(const bench_case *item, int32_t warm, int32_t repetitions, int32_t frames, bench_result *result);

// One line about processor, cores, compiler and flags.
void bench_describe(char *line, size_t size);

#endif
