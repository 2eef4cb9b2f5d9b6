// Runs one case of the benchmark: a cloth held at two corners, timed in whole frames.
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPETITIONS_MAX = 64 };

static double milliseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static pli_status add_constraints(pli_world *world, const bench_case *item, pli_deformable cloth, pli_error *error)
{
    pli_constraint_set set;
    pli_constraint_set_def def = pli_constraint_set_def_default();
    def.deformable = cloth;
    def.type = "distance";
    pli_status status = pli_constraint_set_create(world, &def, &set, error);
    if (status != PLI_STATUS_OK || !item->bending)
        return status;
    const pli_parameter_value soft[] = {{"compliance", 1e-6}};
    def.type = item->bending;
    def.parameters = soft;
    def.parameter_count = 1;
    return pli_constraint_set_create(world, &def, &set, error);
}

static pli_status make_world(const bench_case *item, pli_world **world, pli_error *error)
{
    pli_mesh *mesh = NULL;
    pli_deformable cloth;
    pli_attachment corners;
    pli_status status = pli_mesh_create_grid(item->columns, item->rows, 1.0f, 1.0f, item->pattern, &mesh, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_world_def def = pli_world_def_default();
    def.settings.method = item->method;
    def.settings.substeps = item->substeps;
    def.settings.iterations = item->iterations;
    def.order = item->order;
    def.simd = item->simd;
    def.thread_count = item->threads;
    pli_deformable_def sheet = pli_deformable_def_default();
    sheet.mesh = mesh;
    const int32_t held[] = {0, item->columns - 1};
    pli_attachment_def ties = pli_attachment_def_default();
    ties.particles = held;
    ties.particle_count = 2;
    status = pli_world_create(&def, world, error);
    if (status == PLI_STATUS_OK)
        status = pli_deformable_create(*world, &sheet, &cloth, error);
    if (status == PLI_STATUS_OK)
        status = add_constraints(*world, item, cloth, error);
    if (status == PLI_STATUS_OK) {
        ties.deformable = cloth;
        status = pli_attachment_create(*world, &ties, &corners, error);
    }
    pli_mesh_destroy(mesh);
    return status;
}

static pli_status run_frames(pli_world *world, int32_t count, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < count && status == PLI_STATUS_OK; i++)
        status = pli_world_step(world, 1.0f / 60.0f, error);
    return status;
}

static pli_status measure(pli_world *world, int32_t repetitions, int32_t frames, bench_result *result, pli_error *error)
{
    double times[REPETITIONS_MAX];
    for (int32_t i = 0; i < repetitions; i++) {
        double start = milliseconds();
        pli_status status = run_frames(world, frames, error);
        if (status != PLI_STATUS_OK)
            return status;
        times[i] = (milliseconds() - start) / frames;
    }
    qsort(times, (size_t)repetitions, sizeof *times, ascending);
    pli_statistics statistics;
    pli_world_statistics(world, &statistics);
    *result = (bench_result){
        .median = times[repetitions / 2],
        .least = times[0],
        .most = times[repetitions - 1],
        .per_projection = 1e6 * times[repetitions / 2] / (double)statistics.projection_count,
        .projections = statistics.projection_count,
        .stretch_rms = statistics.stretch_rms,
        .stretch_max = statistics.stretch_max,
        .bytes_per_particle = (double)statistics.memory / statistics.particle_count,
        .hash = pli_world_hash(world),
        .repetitions = repetitions,
        .frames = frames,
    };
    return PLI_STATUS_OK;
}

bool bench_run(const bench_case *item, int32_t warm, int32_t repetitions, int32_t frames, bench_result *result)
{
    pli_error error = {0};
    pli_world *world = NULL;
    pli_status status = make_world(item, &world, &error);
    if (status == PLI_STATUS_OK)
        status = run_frames(world, warm, &error);
    if (status == PLI_STATUS_OK)
        status = measure(world, repetitions < REPETITIONS_MAX ? repetitions : REPETITIONS_MAX, frames, result, &error);
    pli_world_destroy(world);
    if (status != PLI_STATUS_OK)
        fprintf(stderr, "pliant_bench: %s: %s\n", item->name, error.message);
    return status == PLI_STATUS_OK;
}
