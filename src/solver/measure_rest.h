// Rest values of stencils, measured on the rest shape of a mesh in double.
#ifndef PLI_SOLVER_MEASURE_REST_H
#define PLI_SOLVER_MEASURE_REST_H

#include "solver/world.h"

// The rest shape by internal place.
typedef struct pli_rest_shape {
    const float *positions;  // [3 * particles]
    double (*normals)[3];    // Unit; null unless the type needs them.
    float *own_positions;    // Of this shape; null when the mesh's are in order.
} pli_rest_shape;

// What is measured of one stencil. Values are the type's, and one a particle where it wants them.
typedef struct pli_rest_query {
    const pli_set *set;
    const pli_rest_shape *shape;
    const int32_t *places;    // [count]
    int32_t count;
    const int32_t *triangles; // Of the stencil's own indices.
    int32_t triangle_count;
    double area;
    double (*positions)[3], (*normals)[3]; // [count] room.
} pli_rest_query;

static inline int32_t pli_stencil_size(const pli_stencils *s, int32_t i)
{
    return s->offsets ? s->offsets[i + 1] - s->offsets[i] : s->cardinality;
}

static inline int32_t *pli_stencil_particles(const pli_stencils *s, int32_t i)
{
    return s->particles + (s->offsets ? (size_t)s->offsets[i] : (size_t)i * (size_t)s->cardinality);
}

static inline int32_t pli_stencil_triangles(const pli_stencils *s, int32_t i)
{
    return s->triangle_offsets ? s->triangle_offsets[i + 1] - s->triangle_offsets[i] : 0;
}

// False when memory ran out; release in both cases.
bool pli_rest_shape_load(pli_world *world, const pli_set *set, pli_rest_shape *shape);
void pli_rest_shape_release(pli_memory *memory, pli_rest_shape *shape);

// Measures one. False when it is degenerate.
bool pli_rest_measure(const pli_rest_query *query, float *values, float *scale);

// Rest values of a stencil of `count` particles.
static inline int32_t pli_rest_count(const pli_constraint_type *type, int32_t count)
{
    return type->rest_count + (type->rest_per_particle ? count : 0);
}

#endif
