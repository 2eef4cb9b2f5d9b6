// Rest values of stencils, measured on the rest shape of a mesh in double.
#ifndef PLI_SOLVER_MEASURE_REST_H
#define PLI_SOLVER_MEASURE_REST_H

#include "solver/world.h"

typedef struct pli_rest_values {
    int32_t count;          // Sound stencils.
    int32_t *kept;          // [count] their indices, ascending.
    int32_t *offsets;       // [stencils + 1] into values.
    float *values;
    float *scales;          // [stencils] compliance scales.
} pli_rest_values;

static inline int32_t pli_stencil_size(const pli_stencils *s, int32_t i)
{
    return s->offsets ? s->offsets[i + 1] - s->offsets[i] : s->cardinality;
}

static inline const int32_t *pli_stencil_particles(const pli_stencils *s, int32_t i)
{
    return s->particles + (s->offsets ? (size_t)s->offsets[i] : (size_t)i * (size_t)s->cardinality);
}

static inline int32_t pli_stencil_triangles(const pli_stencils *s, int32_t i)
{
    return s->triangle_offsets ? s->triangle_offsets[i + 1] - s->triangle_offsets[i] : 0;
}

// Measures all stencils of a set; degenerate ones are not kept. `largest` is the size of the
// largest. False when memory ran out; release in both cases.
bool pli_rest_measure(pli_memory *memory, const pli_set *set, const pli_stencils *stencils, int32_t largest,
                      pli_rest_values *rest);
void pli_rest_release(pli_memory *memory, pli_rest_values *rest);

#endif
