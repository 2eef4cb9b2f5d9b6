// Allocation and release of the stencils that generators fill.
#include "mesh/generators/stencils.h"

void pli_stencils_release(pli_stencils *stencils)
{
    if (!stencils)
        return;
    pli_memory memory = pli_memory_make(&stencils->hooks);
    pli_release(&memory, stencils->offsets);
    pli_release(&memory, stencils->particles);
    pli_release(&memory, stencils->triangle_offsets);
    pli_release(&memory, stencils->triangles);
    pli_release(&memory, stencils->areas);
    *stencils = (pli_stencils){.hooks = stencils->hooks, .tasks = stencils->tasks};
}

bool pli_stencils_allocate(pli_stencils *s, int32_t count, int64_t particles, int64_t triangles)
{
    pli_memory memory = pli_memory_make(&s->hooks);
    s->offsets = PLI_ALLOCATE(&memory, int32_t, (int64_t)count + 1);
    s->particles = PLI_ALLOCATE_UNSET(&memory, int32_t, particles);
    s->triangle_offsets = PLI_ALLOCATE(&memory, int32_t, (int64_t)count + 1);
    s->triangles = PLI_ALLOCATE_UNSET(&memory, int32_t, 3 * triangles);
    s->areas = PLI_ALLOCATE(&memory, double, count);
    bool complete = s->offsets && s->particles && s->triangle_offsets && s->triangles && s->areas &&
                    particles <= INT32_MAX && triangles <= INT32_MAX / 3;
    if (!complete)
        pli_stencils_release(s);
    return complete;
}
