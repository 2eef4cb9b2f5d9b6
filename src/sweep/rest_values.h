// Rest values of stencils, measured on the rest shape of the mesh in double.
#ifndef PLI_SWEEP_REST_VALUES_H
#define PLI_SWEEP_REST_VALUES_H

#include "model/model.h"

// The rest shape in the internal order of particles.
typedef struct pli_rest_shape {
    const float *positions; // [3 * particles] [m].
    double (*normals)[3];   // Unit vertex normals; NULL unless the type needs them.
    float *own_positions;   // Allocated when the internal order differs from the mesh order; NULL otherwise.
} pli_rest_shape;

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

// Copies the rest shape into internal order. False when memory ran out; release it in both cases.
bool pli_rest_shape_load(pli_world *world, const pli_constraints_data *set, pli_rest_shape *shape);
// Computes the normals of a shape from the base of a topology. False when memory ran out.
bool pli_rest_normals_make(pli_memory *memory, const pli_topology *base, pli_rest_shape *shape);
void pli_rest_shape_release(pli_memory *memory, pli_rest_shape *shape);

// Loads the position, and the normal where there are normals, at internal index `place`.
static inline void pli_rest_load(const pli_rest_shape *shape, int32_t place, double position[3], double normal[3])
{
    const float *at = shape->positions + 3 * place;
    for (int32_t d = 0; d < 3; d++)
        position[d] = (double)at[d];
    for (int32_t d = 0; d < 3 && shape->normals; d++)
        normal[d] = shape->normals[place][d];
}

// A stencil of the set over these positions and normals; the caller sets its area and triangles.
pli_stencil pli_rest_view(const pli_constraints_data *set, const double (*positions)[3], const double (*normals)[3],
                          int32_t count);
// Computes the rest values of a stencil (of its type, and one for each particle if the type requests them) and its compliance scale. False
// if the stencil is degenerate: a value is not finite, or the type rejects it.
bool pli_rest_find(const pli_constraint_type *type, pli_stencil *view, float *values, float *scale);

// Number of rest values of a stencil of `count` particles.
static inline int32_t pli_rest_count(const pli_constraint_type *type, int32_t count)
{
    return type->rest_count + (type->rest_per_particle ? count : 0);
}

// Sets the warp of a set with the parameters warp_x, warp_y and warp_z to the directions of the faces of its mesh, [3 * faces]; faces with
// direction 0 use the parameters. Vertices are those of the mesh before cuts.
void pli_rest_turn_warp(const pli_constraints_data *set, const float *directions);

#endif
