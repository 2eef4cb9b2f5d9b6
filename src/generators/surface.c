#include "generators/surface.h"

bool pli_surface_allocate(pli_stencils *s, int32_t count, int64_t particles, int64_t triangles)
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
