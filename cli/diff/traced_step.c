// The callback that records hashes and copies of states.
#include "diff/traced_step.h"

#include <stdlib.h>
#include <string.h>

static void release_states(pli_cli_traced *traced)
{
    for (int32_t i = 0; traced->arrays && i < 2 * traced->deformables; i++)
        free(traced->arrays[i]);
    free(traced->arrays);
    free(traced->vertices);
    traced->arrays = NULL, traced->vertices = NULL, traced->deformables = 0;
}

void pli_cli_traced_keep(pli_cli_traced *traced, const pli_world *world)
{
    release_states(traced);
    const int32_t count = pli_world_deformable_count(world);
    traced->arrays = calloc(2 * (size_t)count + 1, sizeof *traced->arrays);
    traced->vertices = calloc((size_t)count + 1, sizeof *traced->vertices);
    if (!traced->arrays || !traced->vertices) {
        traced->out_of_memory = true;
        return;
    }
    traced->deformables = count;
    for (int32_t i = 0; i < count; i++) {
        const pli_deformable deformable = pli_world_deformable_at(world, i);
        const int32_t vertices = pli_trace_read(world, deformable, NULL, NULL);
        float **arrays = traced->arrays + 2 * (size_t)i;
        for (int32_t k = 0; k < 2; k++)
            arrays[k] = calloc((size_t)vertices + 1, 3 * sizeof *arrays[k]);
        if (!arrays[0] || !arrays[1]) {
            traced->out_of_memory = true;
            return;
        }
        pli_trace_read(world, deformable, arrays[0], arrays[1]);
        traced->vertices[i] = (pli_cli_vertices){.name = pli_deformable_name(world, deformable),
                                                 .positions = arrays[0],
                                                 .velocities = arrays[1],
                                                 .count = vertices};
        pli_world_get_origin(world, traced->vertices[i].origin);
    }
}

static void note(void *user, const pli_world *world, const pli_trace_point *point)
{
    pli_cli_traced *traced = user;
    if (traced->wanted == traced->count)
        pli_cli_traced_keep(traced, world);
    if (traced->wanted != PLI_CLI_ALL_PROBES) {
        traced->count++;
        return;
    }
    if (traced->count == traced->capacity) {
        const int32_t capacity = traced->capacity > 0 ? 2 * traced->capacity : 256;
        pli_cli_probe *probes = realloc(traced->probes, (size_t)capacity * sizeof *probes);
        if (!probes) {
            traced->out_of_memory = true;
            return;
        }
        traced->probes = probes, traced->capacity = capacity;
    }
    traced->probes[traced->count++] = (pli_cli_probe){pli_world_hash(world), point->stage, point->substep, point->part,
                                                      point->set};
}

pli_status pli_cli_traced_step(pli_cli_traced *traced, const pli_scene *scene, pli_world *world, int32_t frame,
                               int32_t wanted, pli_error *error)
{
    traced->count = 0;
    traced->wanted = wanted;
    if (wanted == PLI_CLI_BEFORE_STEP)
        pli_cli_traced_keep(traced, world);
    pli_world_set_trace(world, note, traced);
    pli_status status = pli_scene_step(scene, world, frame, error);
    pli_world_set_trace(world, NULL, NULL);
    return status;
}

void pli_cli_traced_release(pli_cli_traced *traced)
{
    release_states(traced);
    free(traced->probes);
    *traced = (pli_cli_traced){.count = 0};
}
