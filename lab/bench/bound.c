// The limit of a scene: its frame by the kernels of machine_limit.h, and the time of their memory traffic.
#include "bench/bound.h"

#include "bench/bench_run.h"
#include "bench/machine_limit.h"
#include "bench/repeat.h"
#include "bench/triad.h"

#include <math.h>
#include <string.h>

static limit_kind kind_of(const char *type)
{
    static const struct {
        const char *beginning;
        limit_kind kind;
    } rows[] = {
        {"distance", LIMIT_DISTANCE}, {"stick", LIMIT_DISTANCE},      {"opposite_distance", LIMIT_DISTANCE},
        {"triangle", LIMIT_TRIANGLE}, {"isometric", LIMIT_ISOMETRIC}, {"dihedral", LIMIT_DIHEDRAL},
    };
    for (size_t i = 0; type && i < sizeof rows / sizeof *rows; i++)
        if (strncmp(type, rows[i].beginning, strlen(rows[i].beginning)) == 0)
            return rows[i].kind;
    return LIMIT_NONE;
}

typedef struct limit_job {
    limit_grid *grid;
    const limit_kernels *kernels;
    int32_t substeps, iterations;
} limit_job;

static double run_limit(void *user, int32_t count, pli_error *error)
{
    const limit_job *job = user;
    (void)error;
    double start = bench_seconds();
    for (int32_t i = 0; i < count; i++)
        job->kernels->frame(job->grid, job->substeps, job->iterations);
    return bench_seconds() - start;
}

// Chooses the variant whose second frame is the fastest.
static void choose_variant(limit_job *job)
{
    double best = INFINITY;
    const limit_kernels *chosen = NULL;
    for (int32_t i = 0; (job->kernels = limit_variant(i)); i++) {
        run_limit(job, 1, NULL);
        double seconds = run_limit(job, 1, NULL);
        if (seconds < best) {
            best = seconds;
            chosen = job->kernels;
        }
    }
    job->kernels = chosen;
}

static int64_t passes(const bench_scene *scene)
{
    return (int64_t)(scene->substeps > 0 ? scene->substeps : 1) * scene->iterations;
}

// Memory traffic of a frame over the bandwidth of a triad of that footprint.
static double traffic_seconds(bench_run *run, const bench_scene *scene, const limit_grid *grid)
{
    double bytes = grid->bytes_per_sweep * (double)passes(scene) + grid->bytes_per_motion * (double)scene->substeps;
    double speed = bench_triad(run, (int64_t)(grid->bytes_per_sweep + grid->bytes_per_motion), scene->threads);
    return speed > 0.0 ? bytes / speed : NAN;
}

// Limits vary less than the figures beside them and need fewer repetitions.
static bool repeat_briefly(const bench_run *run, limit_job *job, bench_sample *sample)
{
    bench_run brief = *run;
    brief.repetitions = 5;
    brief.seconds = 0.3 * run->seconds;
    return bench_repeat(&brief, run_limit, job, sample, NULL);
}

static bool measure(bench_run *run, const bench_scene *scene, limit_grid *grid, double values[2])
{
    limit_job job = {grid, NULL, scene->substeps, scene->iterations};
    bench_sample sample;
    int64_t projections = 0;
    for (int32_t k = 0; k < grid->part_count; k++)
        projections += grid->parts[k].constraint_count * passes(scene);
    choose_variant(&job);
    if (!repeat_briefly(run, &job, &sample))
        return false;
    values[0] = sample.median / (double)projections / (double)scene->threads;
    values[1] = traffic_seconds(run, scene, grid) / (double)projections;
    return true;
}

void bench_limit(bench_run *run, const bench_scene *scene, int64_t projections, double *kernels, double *bandwidth)
{
    limit_kind first = kind_of(scene->types[0]), second = kind_of(scene->types[1]);
    *kernels = *bandwidth = NAN;
    if (first == LIMIT_NONE || (scene->types[1] && second == LIMIT_NONE) || scene->sheets > 1 || scene->self_collision)
        return;
    const int64_t key[5] = {'k', (int64_t)first * 16 + (int64_t)second, scene->rows,
                            (int64_t)scene->substeps * 4096 + scene->iterations, scene->threads};
    double *known = bench_recall(run, key), values[2];
    if (!known) {
        limit_grid *grid = limit_grid_create(scene->rows, first, second);
        bool measured = grid && measure(run, scene, grid, values);
        limit_grid_destroy(grid);
        if (!measured)
            return;
        known = memcpy(bench_remember(run, key), values, sizeof values);
    }
    *kernels = known[0] * (double)projections;
    *bandwidth = known[1] * (double)projections;
}
