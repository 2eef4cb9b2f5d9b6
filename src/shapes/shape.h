// The table of collider shapes inside the library: the row of a shape with its kernels.
//
// A shape is a file in shapes/types and a line of PLI_SHAPES (pliant/shape.h). The file is compiled once for each back
// end, since a row contains the kernels of one back end. All other entries are equal in all back ends and are read from
// the scalar one.
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

// Computes signed distances and unit gradients of `count` points, a multiple of PLI_BATCH: all x, then all y, then all z.
typedef void (*pli_shape_distances)(const pli_collider_def *def, const float *points, int32_t count, float *distances,
                                    float *gradients);

// A row must have `complaint` and `reach`; `support` and `tessellate` if it is bounded; `find` and `distances` if
// particles collide with its signed distance. A shape without `find`, and every shape on a rigid body, collides as the
// surface of its tessellation. A shape without `tessellate` cannot be attached to a rigid body.
typedef struct pli_shape_row {
    pli_shape shape;
    // Returns the error of the sizes, or null when they are valid.
    const char *(*complaint)(const pli_collider_def *def);
    float (*reach)(const pli_collider_def *def);
    pli_vec3 (*support)(const pli_collider_def *def, pli_vec3 direction);
    // Returns the core of a rounded box; null for other shapes.
    pli_shape_core (*core)(const pli_collider_def *def);
    // Returns the mass properties at density 1. Null when the tessellation is exact and is integrated instead.
    pli_mass_properties (*mass)(const pli_collider_def *def);
    pli_status (*tessellate)(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks, pli_mesh **mesh,
                             pli_error *error);
    pli_contact_find find;
    pli_shape_distances distances;
} pli_shape_row;

// Returns the least width of a bounded shape: along the axes of its frame, and twice its least radius [m]. Unbounded
// shapes have infinite width.
float pli_shape_width(const pli_collider_def *def);

// Does the work of pli_shape_ray for a mesh whose vertices are at `positions`, 3 floats each.
bool pli_triangles_ray(const pli_topology *mesh, const float *positions, pli_vec3 origin, pli_vec3 direction,
                       float reach, float *distance, pli_vec3 *normal);

// Bounds of shapes made from the vertices of a mesh.

// Return the reach and the support point of the vertices of def->mesh.
float pli_vertices_reach(const pli_collider_def *def);
pli_vec3 pli_vertices_support(const pli_collider_def *def, pli_vec3 direction);

#endif
