// A run of the benchmark: its settings, and what consecutive cases share.
#ifndef BENCH_RUN_H
#define BENCH_RUN_H

#include "bench/bench.h"

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

#endif
