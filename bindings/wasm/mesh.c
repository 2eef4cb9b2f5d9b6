// Meshes: made from arrays and as primitives, and their adjacency.
#include "web.h"

EXPORT(mesh_create)
pli_mesh *web_mesh_create(const float *positions, int32_t vertex_count, const int32_t *faces, const int32_t *sizes,
                          int32_t face_count, bool repair)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions, def.vertex_count = vertex_count;
    def.face_vertices = faces, def.face_sizes = sizes, def.face_count = face_count;
    def.policy = repair ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create(&def, &mesh, &web_error);
    return mesh;
}

EXPORT(mesh_destroy) void web_mesh_destroy(pli_mesh *mesh) { pli_mesh_destroy(mesh); }

EXPORT(mesh_grid)
pli_mesh *web_mesh_grid(int32_t columns, int32_t rows, float width, float depth, int32_t pattern)
{
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create_grid(columns, rows, width, depth, (pli_grid_pattern)pattern, &mesh, &web_error);
    return mesh;
}

EXPORT(mesh_sphere) pli_mesh *web_mesh_sphere(int32_t subdivisions, float radius)
{
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create_sphere(subdivisions, radius, &mesh, &web_error);
    return mesh;
}

EXPORT(mesh_box) pli_mesh *web_mesh_box(float x, float y, float z)
{
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create_box((pli_vec3){x, y, z}, &mesh, &web_error);
    return mesh;
}

EXPORT(mesh_hull) pli_mesh *web_mesh_hull(const float *points, int32_t count)
{
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create_hull(points, count, &mesh, &web_error);
    return mesh;
}

EXPORT(mesh_tube)
pli_mesh *web_mesh_tube(int32_t around, int32_t along, float radius, float length, bool capped, int32_t pattern)
{
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create_tube(around, along, radius, length, capped, (pli_grid_pattern)pattern, &mesh,
                                            &web_error);
    return mesh;
}

/// Values: height, radius, branches, segments, sides, leaf length and width, seed; one that is not a number keeps its
/// default.
EXPORT(mesh_plant) pli_mesh *web_mesh_plant(void)
{
    const double *v = web_values;
    pli_plant_def def = pli_plant_def_default();
    def.height = v[0] == v[0] ? (float)v[0] : def.height;
    def.radius = v[1] == v[1] ? (float)v[1] : def.radius;
    def.branches = v[2] == v[2] ? (int32_t)v[2] : def.branches;
    def.segments = v[3] == v[3] ? (int32_t)v[3] : def.segments;
    def.sides = v[4] == v[4] ? (int32_t)v[4] : def.sides;
    def.leaf_length = v[5] == v[5] ? (float)v[5] : def.leaf_length;
    def.leaf_width = v[6] == v[6] ? (float)v[6] : def.leaf_width;
    def.seed = v[7] == v[7] ? (uint32_t)v[7] : def.seed;
    pli_mesh *mesh = NULL;
    web_error.status = pli_mesh_create_plant(&def, &mesh, &web_error);
    return mesh;
}

/// The surface of the collider definition's shape.
EXPORT(mesh_shape) pli_mesh *web_mesh_shape(const pli_mesh *of, int32_t resolution)
{
    pli_mesh *mesh = NULL;
    web_definition.collider.mesh = of;
    web_error.status = pli_shape_tessellate(&web_definition.collider, resolution ? resolution : PLI_SHAPE_RESOLUTION,
                                            NULL, &mesh, &web_error);
    return mesh;
}

#define REPORT(F, V, A)                                                                                                \
    F(vertex_count)                                                                                                    \
    F(face_count)                                                                                                      \
    F(triangle_count)                                                                                                  \
    F(edge_count)                                                                                                      \
    F(hinge_count)                                                                                                     \
    F(boundary_edge_count)                                                                                             \
    F(boundary_loop_count)                                                                                             \
    F(component_count)                                                                                                 \
    F(face_degree_min)                                                                                                 \
    F(face_degree_max)                                                                                                 \
    F(closed)                                                                                                          \
    F(oriented)                                                                                                        \
    F(non_manifold_edges)                                                                                              \
    F(repeated_vertex_faces)                                                                                           \
    F(duplicate_faces)                                                                                                 \
    F(non_manifold_vertices)                                                                                           \
    F(isolated_vertices)                                                                                               \
    F(duplicate_vertices)                                                                                              \
    F(zero_area_faces)                                                                                                 \
    F(misoriented_edges)                                                                                               \
    F(edge_length_min)                                                                                                 \
    F(edge_length_mean)                                                                                                \
    F(edge_length_max)                                                                                                 \
    F(area)                                                                                                            \
    F(volume)                                                                                                          \
    V(bounds_min)                                                                                                      \
    V(bounds_max)

WEB_RECORD(mesh_report, pli_mesh_report, REPORT)

EXPORT(mesh_report) void web_mesh_report(const pli_mesh *mesh) { web_put_mesh_report(pli_mesh_get_report(mesh)); }

// The arrays of a topology: F of floats, I of integers, B of bytes, with their lengths.
#define ARRAYS(F, I, B)                                                                                                \
    F(positions, 3 * t->vertex_count)                                                                                  \
    I(face_offsets, t->face_count + 1)                                                                                 \
    I(face_vertices, t->corner_count)                                                                                  \
    I(triangles, 3 * t->triangle_count)                                                                                \
    I(triangle_faces, t->triangle_count)                                                                               \
    I(edges, 2 * t->edge_count)                                                                                        \
    I(edge_faces, 2 * t->edge_count)                                                                                   \
    I(hinges, 4 * t->hinge_count)                                                                                      \
    I(hinge_edges, t->hinge_count)                                                                                     \
    I(ring_offsets, t->vertex_count + 1)                                                                               \
    I(ring_vertices, t->ring_offsets[t->vertex_count])                                                                 \
    B(vertex_boundary, t->vertex_count)                                                                                \
    I(boundary_offsets, t->boundary_loop_count + 1)                                                                    \
    I(boundary_vertices, t->boundary_offsets[t->boundary_loop_count])                                                  \
    I(vertex_components, t->vertex_count)                                                                              \
    I(face_components, t->face_count)                                                                                  \
    B(component_closed, t->component_count)                                                                            \
    I(vertex_source, t->vertex_count)                                                                                  \
    F(vertex_areas, t->vertex_count)                                                                                   \
    I(triangle_offsets, t->vertex_count + 1)                                                                           \
    I(vertex_triangles, 3 * t->triangle_count)

#define FLOATS_NAME(field, count) #field ":f "
#define INTEGERS_NAME(field, count) #field ":i "
#define BYTES_NAME(field, count) #field ":b "
#define ARRAY_PUT(field, count) *to++ = (double)(uintptr_t)t->field, *to++ = count;

EXPORT(mesh_topology_fields) const char *web_mesh_topology_fields(void)
{
    return ARRAYS(FLOATS_NAME, INTEGERS_NAME, BYTES_NAME);
}

/// Address and length of each array, in the order of the names.
EXPORT(mesh_topology) void web_mesh_topology(const pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    double *to = web_values;
    ARRAYS(ARRAY_PUT, ARRAY_PUT, ARRAY_PUT)
}

EXPORT(triangle_neighbors)
pli_status web_triangle_neighbors(const int32_t *triangles, int32_t count, int32_t vertex_count, int32_t *neighbors)
{
    return pli_find_triangle_neighbors(triangles, count, vertex_count, neighbors, &web_error);
}

EXPORT(triangle_pairs)
int32_t web_triangle_pairs(const int32_t *triangles, int32_t count, const int32_t *neighbors, int32_t *pairs,
                           int32_t capacity)
{
    return pli_triangle_pairs(triangles, count, neighbors, pairs, capacity);
}

static pli_stencils stencils;

/// Values: cardinality, count, address and length of the particles, address of the offsets. They stay until stencils_release.
EXPORT(stencils_generate) pli_status web_stencils_generate(const pli_mesh *mesh, const char *generator)
{
    pli_status status = pli_stencils_generate(mesh, generator, &stencils, &web_error);
    if (status != PLI_STATUS_OK)
        return status;
    web_values[0] = stencils.cardinality;
    web_values[1] = stencils.count;
    web_values[2] = (double)(uintptr_t)stencils.particles;
    web_values[3] = stencils.offsets ? stencils.offsets[stencils.count] : stencils.cardinality * stencils.count;
    web_values[4] = (double)(uintptr_t)stencils.offsets;
    return status;
}

EXPORT(stencils_release) void web_stencils_release(void) { pli_stencils_release(&stencils); }
