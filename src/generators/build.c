// Collecting stencils, and removing pairs that came twice.
#include "generators/build.h"

#include "base/sort.h"
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

void pli_builder_drop_equal_pairs(pli_builder *b)
{
    pli_stencils *s = b->stencils;
    pli_sort_item *items = PLI_ALLOCATE(&b->memory, pli_sort_item, s->count);
    uint8_t *drop = PLI_ALLOCATE(&b->memory, uint8_t, s->count);
    if (!items || !drop || b->failed) {
        b->failed = true;
    } else {
        for (int32_t i = 0; i < s->count; i++) {
            uint64_t first = (uint64_t)s->particles[2 * i], second = (uint64_t)s->particles[2 * i + 1];
            items[i].key = first < second ? first << 32 | second : second << 32 | first;
            items[i].value = i;
        }
        b->failed = !pli_sort(&b->memory, items, s->count);
        for (int32_t i = 1; i < s->count; i++)
            drop[items[i].value] = items[i].key == items[i - 1].key;
        int32_t kept = 0;
        for (int32_t i = 0; i < s->count; i++) {
            if (drop[i])
                continue;
            s->particles[2 * kept] = s->particles[2 * i];
            s->particles[2 * kept + 1] = s->particles[2 * i + 1];
            kept++;
        }
        s->duplicate_count += s->count - kept;
        s->count = kept;
    }
    pli_release(&b->memory, items);
    pli_release(&b->memory, drop);
}

pli_status pli_builder_finish(pli_builder *b, pli_error *error)
{
    if (!b->failed)
        return pli_succeed(error);
    pli_stencils_release(b->stencils);
    return pli_fail_memory(error);
}

double *pli_face_areas(pli_memory *memory, const pli_topology *topology)
{
    double *areas = PLI_ALLOCATE(memory, double, topology->face_count);
    for (int32_t t = 0; areas && t < topology->triangle_count; t++) {
        pli_dvec3 x[3];
        for (int32_t k = 0; k < 3; k++) {
            const float *p = topology->positions + 3 * topology->triangles[3 * t + k];
            x[k] = (pli_dvec3){(double)p[0], (double)p[1], (double)p[2]};
        }
        areas[topology->triangle_faces[t]] += 0.5 * pli_dlength(pli_dcross(pli_dsub(x[1], x[0]), pli_dsub(x[2], x[0])));
    }
    return areas;
}
