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

void pli_builder_expect(pli_builder *b, int64_t count, bool areas)
{
    pli_stencils *s = b->stencils;
    int64_t room = count * s->cardinality;
    if (count <= 0 || room > INT32_MAX || s->particles || s->areas)
        return;
    s->particles = PLI_ALLOCATE_UNSET(&b->memory, int32_t, room);
    b->particle_capacity = s->particles ? (int32_t)room : 0;
    s->areas = areas ? PLI_ALLOCATE_UNSET(&b->memory, double, count) : NULL;
    b->area_capacity = s->areas ? (int32_t)count : 0;
    b->failed = b->failed || !s->particles || (areas && !s->areas);
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
    pli_sort_pair *items = PLI_ALLOCATE_UNSET(&b->memory, pli_sort_pair, s->count);
    int32_t bound = 0;
    uint8_t *drop = PLI_ALLOCATE(&b->memory, uint8_t, s->count);
    if (!items || !drop || b->failed) {
        b->failed = true;
    } else {
        for (int32_t i = 0; i < s->count; i++) {
            int32_t first = s->particles[2 * i], second = s->particles[2 * i + 1];
            items[i] = (pli_sort_pair){first < second ? first : second, first < second ? second : first, i};
            bound = items[i].low >= bound ? items[i].low + 1 : bound;
        }
        b->failed = !pli_sort_pairs(&b->memory, items, s->count, bound);
        for (int32_t i = 1; i < s->count; i++)
            drop[items[i].value] = items[i].low == items[i - 1].low && items[i].high == items[i - 1].high;
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
