// Bandwidth by the triad a[i] = b[i] + s c[i] of McCalpin's STREAM, over arrays of a given total size.
#define _POSIX_C_SOURCE 200809L
#include "bench/triad.h"

#include "bench/bench_run.h"
#include "bench/machine_limit.h"
#include "bench/repeat.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Arrays a multiple of 4 KiB apart conflict in the cache, so each begins STAGGER floats later.
enum { THREADS_MAX = 64, ALIGNMENT = 64, STAGGER = 5 * 64 };

typedef struct triad_part {
    float *a, *b, *c;
    int64_t count;
    int32_t times;
} triad_part;

static void *run_part(void *data)
{
    const triad_part *part = data;
    limit_triad *triad = limit_variant(0)->triad;
    for (int32_t k = 0; k < part->times; k++)
        triad(part->a, part->b, part->c, part->count);
    return NULL;
}

typedef struct triad {
    triad_part parts[THREADS_MAX];
    int32_t threads;
} triad;

static double run_triad(void *user, int32_t count, pli_error *error)
{
    triad *t = user;
    pthread_t threads[THREADS_MAX];
    double start = bench_seconds();
    for (int32_t i = 0; i < t->threads; i++) {
        t->parts[i].times = count;
        if (i > 0 && pthread_create(&threads[i], NULL, run_part, &t->parts[i]) != 0) {
            while (--i > 0)
                pthread_join(threads[i], NULL);
            pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "cannot start a thread");
            return -1.0;
        }
    }
    run_part(&t->parts[0]);
    for (int32_t i = 1; i < t->threads; i++)
        pthread_join(threads[i], NULL);
    return bench_seconds() - start;
}

static bool sample_triad(const bench_run *run, int64_t bytes, int32_t threads, bench_sample *sample, pli_error *error)
{
    int64_t each = bytes / 12 / threads / ALIGNMENT * ALIGNMENT;
    triad t = {.threads = threads};
    int64_t room = each + STAGGER;
    float *memory = aligned_alloc(ALIGNMENT, (size_t)(3 * threads * room) * sizeof *memory);
    if (!memory || each == 0) {
        free(memory);
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    memset(memory, 0, (size_t)(3 * threads * room) * sizeof *memory);
    for (int32_t i = 0; i < threads; i++) {
        float *a = memory + 3 * i * room;
        t.parts[i] = (triad_part){a, a + room, a + 2 * room, each, 0};
    }
    bool done = bench_repeat(run, run_triad, &t, sample, error);
    free(memory);
    return done;
}

bool bench_measure_triad(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    bench_sample s;
    if (!sample_triad(run, item->bytes, item->scene.threads, &s, error))
        return false;
    double gigabytes = 1e-9 * (double)item->bytes;
    figure->sample = (bench_sample){gigabytes / s.median, gigabytes / s.most, gigabytes / s.least, s.repetitions};
    return true;
}

double bench_triad(bench_run *run, int64_t bytes, int32_t threads)
{
    enum { LEAST = 24 * 1024 };
    bytes = bytes > LEAST ? bytes : LEAST;
    const int64_t key[5] = {'t', bytes, threads, 0, 0};
    double *known = bench_recall(run, key);
    bench_sample sample;
    bench_run brief = *run;
    brief.repetitions = 5;
    brief.seconds = 0.3 * run->seconds;
    if (!known && sample_triad(&brief, bytes, threads, &sample, NULL)) {
        known = bench_remember(run, key);
        *known = (double)bytes / sample.median;
    }
    return known ? *known : 0.0;
}
