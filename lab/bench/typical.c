// Measures a scenario: wall time and processor time of every frame, with its stages.
#define _POSIX_C_SOURCE 200809L
#include "bench/typical.h"

#include "bench/bench_run.h"
#include "bench/repeat.h"
#include "bench/scenarios/scenarios.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// Processor time of all threads of the process [s].
static double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Leaves the frames in their order.
static bench_sample sample_of_frames(const double *frames, int32_t count)
{
    double sorted[BENCH_FRAMES_MAX];
    memcpy(sorted, frames, (size_t)count * sizeof *sorted);
    return bench_sample_of(sorted, count);
}

static void read_state(const bench_live *live, bench_figure *figure)
{
    pli_statistics statistics;
    pli_world_get_statistics(live->world, &statistics);
    figure->vertices = statistics.particle_count;
    figure->projections = statistics.projection_count;
    figure->stretch_rms = statistics.stretch_rms;
    figure->stretch_max = statistics.stretch_max;
    figure->bytes_per_vertex = (double)statistics.memory / statistics.particle_count;
    figure->hash = pli_world_hash(live->world);
}

// Steps and measures one frame.
static bool measure_frame(bench_live *live, int32_t frame, bench_figure *figure, pli_error *error)
{
    pli_statistics statistics;
    double start = bench_seconds(), before = processor_seconds();
    if (bench_live_step(live, frame, error) != PLI_STATUS_OK)
        return false;
    figure->frame_cpu_ms[figure->frame_count] = 1e3 * (processor_seconds() - before);
    figure->frame_ms[figure->frame_count++] = 1e3 * (bench_seconds() - start);
    pli_world_get_statistics(live->world, &statistics);
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        figure->stage_ms[i] += 1e3 * statistics.stage_seconds[i] / live->scenario->frames;
    figure->contacts += statistics.contact_count;
    return true;
}

static bool run_frames(bench_run *run, bench_live *live, bench_figure *figure, pli_error *error)
{
    int32_t warm = live->scenario->warm, frames = live->scenario->frames;
    bool done = true;
    memset(figure->stage_ms, 0, sizeof figure->stage_ms);
    for (int32_t i = 0; i < warm + frames && done; i++) {
        done = !bench_is_cancelled(run, error);
        if (done && i < warm)
            done = bench_live_step(live, i, error) == PLI_STATUS_OK;
        else if (done)
            done = measure_frame(live, i, figure, error);
    }
    return done;
}

bool bench_measure_typical(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    bench_live *live = bench_live_create(item->scenario, item->scene.threads, item->scene.simd, error);
    bool done = live && run_frames(run, live, figure, error);
    if (done) {
        figure->sample = sample_of_frames(figure->frame_ms, figure->frame_count);
        figure->contacts /= figure->frame_count;
        figure->cpu = sample_of_frames(figure->frame_cpu_ms, figure->frame_count);
        read_state(live, figure);
    }
    bench_live_destroy(live);
    return done;
}
