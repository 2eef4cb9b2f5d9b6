// The table of collider shapes for those inside the library: the row of a shape, with its kernels.
//
// A shape is a file in shapes/types and a line of PLI_SHAPES (pliant/shape.h). The file is compiled once for each back
// end, since a row holds the kernels of one; all else in it is the same in every back end, and is read from the scalar
// one's.
#ifndef PLI_SHAPES_SHAPE_H
#define PLI_SHAPES_SHAPE_H

#include "base/vector.h"
#include "pliant/world.h"
#include "shapes/contact_group.h"

// Bits of pli_shape_info.fields: PLI_SHAPE_TAKES(radius) and so on.
#define PLI_SHAPE_FIELD_NUMBER(name, ...) PLI_SHAPE_FIELD_##name,
enum { PLI_SHAPE_FIELDS(PLI_SHAPE_FIELD_NUMBER) PLI_SHAPE_FIELD_COUNT };
#undef PLI_SHAPE_FIELD_NUMBER
#define PLI_SHAPE_TAKES(name) (1u << PLI_SHAPE_FIELD_##name)

// Signed distances and unit gradients of `count` points, a multiple of PLI_BATCH: x of all, then y, then z.
typedef void (*pli_shape_distances)(const pli_collider_def *def, const float *points, int32_t count, float *distances,
                                    float *gradients);

// A row must have `complaint` and `reach`; `support` and `tessellate` when it is bounded; `find` and `distances` when
// particles meet it by its distance. A shape without `find` is met as the surface of its tessellation, and so is
// whatever a rigid body carries; a shape without `tessellate` is carried by none.
typedef struct pli_shape_row {
    pli_shape shape;
    // Null, or what is wrong with the sizes.
    const char *(*complaint)(const pli_collider_def *def);
    float (*reach)(const pli_collider_def *def);
    pli_vec3 (*support)(const pli_collider_def *def, pli_vec3 direction);
    // Null when it is no rounded box.
    pli_shape_core (*core)(const pli_collider_def *def);
    // The mass properties at density 1. Null when its tessellation is the shape itself, which is then integrated.
    pli_mass_properties (*mass)(const pli_collider_def *def);
    pli_status (*tessellate)(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks, pli_mesh **mesh,
                             pli_error *error);
    pli_contact_find find;
    pli_shape_distances distances;
} pli_shape_row;

// pli_shape_ray for a mesh whose vertices are at `positions`, 3 floats each.
bool pli_triangles_ray(const pli_topology *mesh, const float *positions, pli_vec3 origin, pli_vec3 direction,
                       float reach, float *distance, pli_vec3 *normal);

#endif
