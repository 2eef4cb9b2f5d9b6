// Figures of a step, from the world's statistics and the residuals of its vertices.
#include "looking/figures.h"

#include <stdlib.h>

// Returns the largest residual over all vertices, or 0 when memory runs out.
static float largest_residual(const pli_world *world)
{
    float most = 0.0f;
    pli_error error;
    for (int32_t i = 0; i < pli_world_deformable_count(world); i++) {
        pli_deformable deformable = pli_world_deformable_at(world, i);
        int32_t count = pli_deformable_vertex_count(world, deformable);
        float *values = malloc(((size_t)count + 1) * sizeof *values);
        bool measured = values && pli_deformable_measure(world, deformable, PLI_MEASURE_RESIDUAL, values, count,
                                                         &error) == PLI_STATUS_OK;
        for (int32_t v = 0; measured && v < count; v++)
            most = values[v] > most ? values[v] : most;
        free(values);
    }
    return most;
}

pli_view_figures pli_view_figures_of(const pli_world *world)
{
    pli_statistics s;
    pli_world_get_statistics(world, &s);
    pli_view_figures f = {.energy = (float)s.kinetic_energy,
                          .stretch = (float)(100.0 * s.stretch_max),
                          .residual = largest_residual(world),
                          .milliseconds = (float)(1e3 * s.step_seconds)};
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        f.stages[i] = (float)(1e3 * s.stage_seconds[i]);
    return f;
}
