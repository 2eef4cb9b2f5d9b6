// Collects stencils one at a time, together with the areas that they represent.
#include "mesh/generators/build.h"

#include "base/vector.h"

#include <string.h>

pli_builder pli_builder_make(pli_stencils *stencils, int32_t cardinality)
{
    stencils->cardinality = cardinality;
    return (pli_builder){.memory = pli_memory_make(&stencils->hooks), .stencils = stencils};
}

static bool uses_one_twice(const int32_t *particles, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            if (particles[i] == particles[j])
                return true;
    return false;
}

void pli_builder_add(pli_builder *b, const int32_t *particles)
{
    pli_stencils *s = b->stencils;
    int32_t n = s->cardinality;
    if (uses_one_twice(particles, n)) {
        s->degenerate_count++;
        return;
    }
    int64_t needed = ((int64_t)s->count + 1) * n;
    if (b->failed || !pli_reserve(&b->memory, &s->particles, &b->particle_capacity, needed, sizeof *s->particles)) {
        b->failed = true;
        return;
    }
    memcpy(s->particles + (size_t)s->count * (size_t)n, particles, (size_t)n * sizeof *particles);
    s->count++;
}

void pli_builder_add_area(pli_builder *b, const int32_t *particles, double area)
{
    pli_stencils *s = b->stencils;
    int32_t before = s->count;
    pli_builder_add(b, particles);
    if (s->count == before)
        return;
    if (!pli_reserve(&b->memory, &s->areas, &b->area_capacity, s->count, sizeof *s->areas)) {
        b->failed = true;
        return;
    }
    s->areas[before] = area;
}

pli_status pli_builder_finish(pli_builder *b, pli_error *error)
{
    if (!b->failed)
        return pli_succeed(error);
    pli_stencils_release(b->stencils);
    return pli_fail_memory(error);
}

pli_status pli_stencils_fill(pli_stencils *stencils, int32_t cardinality, const int32_t *particles, const double *areas,
                             int32_t count, pli_error *error)
{
    pli_stencils_release(stencils);
    if (cardinality < 1 || cardinality > PLI_CARDINALITY_MAX || count < 0 || (count > 0 && !particles))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "%d constraints of %d particles; give 0 or more, of 1 to 4, and their list", (int)count,
                        (int)cardinality);
    pli_builder builder = pli_builder_make(stencils, cardinality);
    for (int32_t i = 0; i < count && !builder.failed; i++) {
        const int32_t *row = particles + (size_t)i * (size_t)cardinality;
        if (areas)
            pli_builder_add_area(&builder, row, areas[i]);
        else
            pli_builder_add(&builder, row);
    }
    return pli_builder_finish(&builder, error);
}

// A face of n corners has n - 2 triangles.
double pli_face_area(const pli_topology *topology, int32_t face)
{
    double area = 0.0;
    for (int32_t t = topology->face_offsets[face] - 2 * face; t < topology->face_offsets[face + 1] - 2 * (face + 1);
         t++) {
        pli_dvec3 x[3];
        for (int32_t k = 0; k < 3; k++) {
            const float *p = topology->positions + 3 * topology->triangles[3 * t + k];
            x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
        }
        area += 0.5 * pli_dlength(pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0])));
    }
    return area;
}
