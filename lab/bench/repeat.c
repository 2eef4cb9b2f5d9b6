// Repeats work and keeps the median, minimum and maximum.
#define _POSIX_C_SOURCE 200809L
#include "bench/repeat.h"

#include "bench/bench_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPETITIONS_MAX = 101, REPETITIONS_LEAST = 3, COUNT_MAX = 1 << 20 };
static const double patience = 1.5; // Total time for the repetitions of one case [s].

double bench_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

bench_sample bench_sample_of(double *values, int32_t count)
{
    qsort(values, (size_t)count, sizeof *values, ascending);
    return (bench_sample){values[count / 2], values[0], values[count - 1], count};
}

bool bench_is_cancelled(const bench_run *run, pli_error *error)
{
    if (!run->cancelled || !run->cancelled())
        return false;
    pli_fail(error, PLI_STATUS_CANCELLED, "cancelled");
    return true;
}

bool bench_repeat(const bench_run *run, bench_work work, void *user, bench_sample *sample, pli_error *error)
{
    double times[REPETITIONS_MAX];
    int32_t most = run->repetitions < REPETITIONS_MAX ? run->repetitions : REPETITIONS_MAX, done = 0;
    double before = bench_seconds();
    if (work(user, 1, error) < 0.0)
        return false;
    double start = bench_seconds(), once = start - before; // The seconds that the work returns may be a part of that.
    double wanted = ceil(run->seconds / (once > 1e-9 ? once : 1e-9));
    int32_t count = wanted < 1.0 ? 1 : wanted < COUNT_MAX ? (int32_t)wanted : COUNT_MAX;
    while (done < most && (done < REPETITIONS_LEAST || bench_seconds() - start < patience)) {
        double seconds = bench_is_cancelled(run, error) ? -1.0 : work(user, count, error);
        if (seconds < 0.0)
            return false;
        times[done++] = seconds / count;
    }
    *sample = bench_sample_of(times, done);
    return true;
}

bool bench_frames(const bench_run *run, pli_world *world, int32_t count, pli_error *error)
{
    for (int32_t i = 0; i < count; i++)
        if (bench_is_cancelled(run, error) || pli_world_step(world, 1.0f / 60.0f, error) != PLI_STATUS_OK)
            return false;
    return true;
}

double *bench_recall(bench_run *run, const int64_t key[5])
{
    for (int32_t i = 0; i < run->memory_count && i < BENCH_MEMORY_MAX; i++)
        if (memcmp(run->memory[i].key, key, sizeof run->memory[i].key) == 0)
            return run->memory[i].values;
    return NULL;
}

double *bench_remember(bench_run *run, const int64_t key[5])
{
    bench_memory_entry *entry = &run->memory[run->memory_count++ % BENCH_MEMORY_MAX];
    memcpy(entry->key, key, sizeof entry->key);
    return entry->values;
}

bench_run *bench_run_create(int32_t repetitions, double seconds, bool (*cancel)(void))
{
    bench_run *run = calloc(1, sizeof *run);
    if (run)
        *run = (bench_run){.repetitions = repetitions, .seconds = seconds, .cancelled = cancel};
    return run;
}

void bench_run_destroy(bench_run *run)
{
    if (run)
        pli_mesh_destroy(run->mesh);
    free(run);
}
