// Kinds of measurement: a frame, a projection, the creation of a world and of a mesh.
#include "bench/measure_kinds.h"

#include "bench/bench_run.h"
#include "bench/bound.h"
#include "bench/repeat.h"
#include "bench/sheet_world.h"

#include <math.h>
#include <stdlib.h>

static const double too_long = 5.0; // Longest frame that is repeated [s].

// Reads the state after the warm-up, which is the same on every machine.
static void read_state(pli_world *world, const bench_scene *scene, bench_figure *figure)
{
    pli_statistics statistics;
    pli_residual residual = {0};
    pli_world_get_statistics(world, &statistics);
    figure->vertices = statistics.particle_count;
    figure->projections = statistics.projection_count;
    figure->stretch_rms = statistics.stretch_rms;
    figure->stretch_max = statistics.stretch_max;
    figure->contacts = statistics.surface_contact_count;
    figure->bytes_per_vertex = (double)statistics.memory / statistics.particle_count;
    figure->hash = pli_world_hash(world);
    int32_t sets = 0;
    while (sets < BENCH_TYPES_MAX && scene->types[sets])
        sets++;
    if (pli_constraints_get_residual(world, pli_world_constraints_at(world, sets - 1), &residual, NULL) ==
        PLI_STATUS_OK) {
        figure->residual_rms = residual.rms;
        figure->residual_max = residual.max;
    }
}

// Runs the frames of the warm-up. A frame that takes too long is the figure itself and the last; the state is then not
// comparable.
static bool warm_up(bench_run *run, const bench_case *item, pli_world *world, bench_figure *figure, pli_error *error)
{
    for (int32_t i = 0; i < item->warm && figure->sample.repetitions == 0; i++) {
        double start = bench_seconds();
        if (!bench_frames(run, world, 1, error))
            return false;
        double seconds = bench_seconds() - start;
        if (seconds > too_long && !item->is_single)
            figure->sample = (bench_sample){seconds, seconds, seconds, 1};
    }
    read_state(world, &item->scene, figure);
    if (figure->sample.repetitions > 0)
        figure->hash = 0;
    return true;
}

static pli_world *warm_world(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    pli_mesh *mesh = bench_mesh(run, &item->scene, error);
    pli_world *world = mesh ? bench_world(&item->scene, mesh, NULL, error) : NULL;
    if (world && warm_up(run, item, world, figure, error))
        return world;
    pli_world_destroy(world);
    return NULL;
}

static void scale(bench_sample *sample, double factor)
{
    sample->median *= factor;
    sample->least *= factor;
    sample->most *= factor;
}

// Times one repetition, where bench_repeat would take too long.
static bool time_once(const bench_run *run, bench_work work, void *user, bench_sample *sample, pli_error *error)
{
    (void)run;
    double seconds = work(user, 1, error);
    *sample = (bench_sample){seconds, seconds, seconds, 1};
    return seconds >= 0.0;
}

typedef struct frame_work {
    const bench_run *run;
    pli_world *world;
    int32_t more; // Iterations of the longer of two steps, minus one.
    pli_settings shorter, longer;
} frame_work;

static double run_frames(void *user, int32_t count, pli_error *error)
{
    frame_work *work = user;
    double start = bench_seconds();
    return bench_frames(work->run, work->world, count, error) ? bench_seconds() - start : -1.0;
}

bool bench_measure_frame(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    pli_world *world = warm_world(run, item, figure, error);
    if (!world)
        return false;
    frame_work work = {.run = run, .world = world};
    bool done = figure->sample.repetitions > 0 ||
                (item->is_single ? time_once : bench_repeat)(run, run_frames, &work, &figure->sample, error);
    pli_world_destroy(world);
    if (!done)
        return false;
    bench_limit(run, &item->scene, figure->projections, &figure->limit, &figure->bandwidth);
    scale(&figure->sample, 1e3);
    figure->limit *= 1e3;
    figure->bandwidth *= 1e3;
    return true;
}

static double run_contacts(void *user, int32_t count, pli_error *error)
{
    frame_work *work = user;
    pli_statistics statistics;
    double seconds = 0.0;
    for (int32_t i = 0; i < count; i++) {
        if (!bench_frames(work->run, work->world, 1, error))
            return -1.0;
        pli_world_get_statistics(work->world, &statistics);
        seconds += statistics.stage_seconds[PLI_STAGE_CONTACTS];
    }
    return seconds;
}

bool bench_measure_contacts(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    pli_world *world = warm_world(run, item, figure, error);
    frame_work work = {.run = run, .world = world};
    bool done = world && bench_repeat(run, run_contacts, &work, &figure->sample, error);
    pli_world_destroy(world);
    if (done)
        scale(&figure->sample, 1e9 / figure->vertices);
    figure->limit = figure->bandwidth = NAN;
    return done;
}

bool bench_measure_strain(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    double seconds[BENCH_STRAIN_FRAMES], squares = 0.0;
    pli_world *world = warm_world(run, item, figure, error);
    bool done = world != NULL;
    for (int32_t i = 0; i < BENCH_STRAIN_FRAMES && done; i++) {
        pli_statistics statistics;
        const double start = bench_seconds();
        done = bench_frames(run, world, 1, error);
        seconds[i] = bench_seconds() - start;
        pli_world_get_statistics(world, &statistics);
        squares += (double)statistics.stretch_rms * (double)statistics.stretch_rms;
        figure->stretch_max = fmax(figure->stretch_max, (double)statistics.stretch_max);
    }
    pli_world_destroy(world);
    if (!done)
        return false;
    figure->sample = bench_sample_of(seconds, BENCH_STRAIN_FRAMES);
    scale(&figure->sample, 1e3);
    figure->stretch_rms = sqrt(squares / BENCH_STRAIN_FRAMES);
    return true;
}

// Time of a step with more iterations minus that of one with fewer. False with the error.
static bool difference(frame_work *work, double *seconds, pli_error *error)
{
    double once = -1.0, more = -1.0;
    if (pli_world_set_settings(work->world, &work->shorter, error) == PLI_STATUS_OK)
        once = run_frames(work, 1, error);
    if (once >= 0.0 && pli_world_set_settings(work->world, &work->longer, error) == PLI_STATUS_OK)
        more = run_frames(work, 1, error);
    *seconds = more - once;
    return more >= 0.0;
}

// Time of sweeps alone: the median over pairs of steps, since one disturbed step would outweigh many differences.
static double run_sweeps(void *user, int32_t count, pli_error *error)
{
    double *seconds = malloc((size_t)count * sizeof *seconds);
    int32_t done = 0;
    if (!seconds)
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    while (seconds && done < count && difference(user, &seconds[done], error))
        done++;
    double result = -1.0;
    if (seconds && done == count) {
        result = fmax(bench_sample_of(seconds, count).median, 0.0) * count;
    }
    free(seconds);
    return result;
}

bool bench_measure_projection(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    pli_world *world = warm_world(run, item, figure, error);
    if (!world)
        return false;
    frame_work work = {.run = run, .world = world, .more = item->scene.iterations};
    work.shorter = work.longer = pli_world_settings(world);
    work.shorter.iterations = 1;
    work.longer.iterations = 1 + work.more;
    bool done = bench_repeat(run, run_sweeps, &work, &figure->sample, error);
    pli_world_destroy(world);
    if (!done)
        return false;
    bench_scene sweeps = item->scene;
    sweeps.substeps = 0;
    double nanoseconds = 1e9 / (double)figure->projections;
    bench_limit(run, &sweeps, figure->projections, &figure->limit, &figure->bandwidth);
    scale(&figure->sample, nanoseconds);
    figure->limit *= nanoseconds;
    figure->bandwidth *= nanoseconds;
    return true;
}

typedef struct making {
    bench_run *run;
    bool is_single;
    const bench_scene *scene;
    bench_cooked cooked;
    size_t memory;
} making;

static double make_worlds(void *user, int32_t count, pli_error *error)
{
    making *m = user;
    double seconds = 0.0;
    pli_mesh *mesh = bench_mesh(m->run, m->scene, error);
    for (int32_t i = 0; i < count && mesh; i++) {
        double start = bench_seconds();
        pli_world *world = bench_world(m->scene, mesh, m->cooked.bytes ? &m->cooked : NULL, error);
        seconds += bench_seconds() - start;
        if (!world)
            return -1.0;
        pli_statistics statistics;
        pli_world_get_statistics(world, &statistics);
        m->memory = statistics.memory;
        pli_world_destroy(world);
    }
    return mesh ? seconds : -1.0;
}

static bool measure_making(making *m, bench_figure *figure, pli_error *error)
{
    if (!(m->is_single ? time_once : bench_repeat)(m->run, make_worlds, m, &figure->sample, error))
        return false;
    figure->vertices = m->scene->columns * m->scene->rows * m->scene->sheets;
    figure->bytes_per_vertex = (double)m->memory / figure->vertices;
    scale(&figure->sample, 1e3);
    return true;
}

bool bench_measure_cooking(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    making m = {.run = run, .is_single = item->is_single, .scene = &item->scene};
    return measure_making(&m, figure, error);
}

static bool write_cooked(making *m, pli_error *error)
{
    pli_mesh *mesh = bench_mesh(m->run, m->scene, error);
    pli_world *world = mesh ? bench_world(m->scene, mesh, NULL, error) : NULL;
    if (!world)
        return false;
    m->cooked.size = pli_world_cooked_size(world);
    m->cooked.bytes = malloc(m->cooked.size);
    pli_status status = m->cooked.bytes ? pli_world_cooked_write(world, m->cooked.bytes, m->cooked.size, error)
                                        : pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    pli_world_destroy(world);
    return status == PLI_STATUS_OK;
}

bool bench_measure_reading(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    making m = {.run = run, .scene = &item->scene};
    bool done = write_cooked(&m, error) && measure_making(&m, figure, error);
    free(m.cooked.bytes);
    return done;
}

static double make_meshes(void *user, int32_t count, pli_error *error)
{
    making *m = user;
    double start = bench_seconds();
    for (int32_t i = 0; i < count; i++) {
        m->run->mesh_key[0] = 0; // Discards the cached mesh.
        if (!bench_mesh(m->run, m->scene, error))
            return -1.0;
    }
    return bench_seconds() - start;
}

bool bench_measure_mesh(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    making m = {.run = run, .scene = &item->scene};
    if (!bench_repeat(run, make_meshes, &m, &figure->sample, error))
        return false;
    figure->vertices = item->scene.columns * item->scene.rows;
    scale(&figure->sample, 1e3);
    return true;
}

bool bench_measure(bench_run *run, const bench_case *item, bench_figure *figure, pli_error *error)
{
    *figure = (bench_figure){.limit = NAN,
                             .bandwidth = NAN,
                             .stretch_rms = NAN,
                             .stretch_max = NAN,
                             .residual_rms = NAN,
                             .residual_max = NAN,
                             .bytes_per_vertex = NAN,
                             .threads = item->scene.threads,
                             .cpu = {NAN, NAN, NAN, 0}};
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        figure->stage_ms[i] = NAN;
    return item->measure(run, item, figure, error);
}
