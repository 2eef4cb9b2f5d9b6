/// Pliant, mesh: polygon meshes. Their adjacency (edges, hinges, one-rings, boundary loops) is computed once, at creation.
///
///     pli_mesh_def def = pli_mesh_def_default();
///     def.positions = positions, def.vertex_count = 4;
///     def.face_vertices = triangles, def.face_count = 2;
///     pli_mesh *mesh;
///     if (pli_mesh_create(&def, &mesh, &error) != PLI_STATUS_OK) ...
///     const pli_topology *t = pli_mesh_topology(mesh);   // t->edge_count is 5
///     pli_mesh_destroy(mesh);
///
/// A mesh is immutable after creation and may be shared by any number of worlds and threads. Faces keep their number of
/// corners: quads remain quads and have no diagonal edge.
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh; opaque. Its references are counted: see pli_mesh_retain and pli_mesh_destroy.
typedef struct pli_mesh pli_mesh;

/// How creation treats non-manifold edges and degenerate faces.
typedef enum pli_mesh_policy {
    /// Refuse non-manifold edges and faces that use a vertex twice. The error names the first one. The default.
    PLI_MESH_REFUSE = 0,
    /// Drop faces that use a vertex twice and faces with the same vertices as another face. Reorient faces such that
    /// neighbours agree. Split the mesh at non-manifold edges and at vertices that several face fans share, by duplicating
    /// vertices. Duplicates come after the given vertices (pli_topology.vertex_source).
    PLI_MESH_REPAIR
} pli_mesh_policy;

/// Polygons in arrays. Creation copies the arrays.
typedef struct pli_mesh_def {
    const float *positions;    ///< 3 floats per vertex [m]; all must be finite.
    int32_t vertex_count;      ///< >= 0.
    int32_t position_stride;   ///< Bytes from one vertex to the next; 0 means 12.
    const int32_t *face_sizes; ///< Number of vertices of each face, >= 3; null: all faces are triangles.
    /// Vertex indices of all faces, concatenated; counter-clockwise as seen from the front.
    const int32_t *face_vertices;
    int32_t face_count; ///< >= 0.
    pli_mesh_policy policy;
    pli_hooks hooks;
} pli_mesh_def;

/// Returns a definition with default values, to be changed field by field.
PLI_API pli_mesh_def pli_mesh_def_default(void);

/// Counts and defects. Each defect has two fields: the number of elements with the defect, and the input index of the first
/// such element, or -1.
typedef struct pli_mesh_report {
    int32_t vertex_count, face_count, triangle_count;
    int32_t edge_count, hinge_count, boundary_edge_count, boundary_loop_count, component_count;
    int32_t face_degree_min, face_degree_max;
    bool closed;                                   ///< The mesh has faces and no boundary edge.
    bool oriented;                                 ///< Neighbouring faces are consistently oriented.
    int32_t wrong_indices, first_wrong_index_face; ///< Face corners with an invalid vertex index: always refused.
    int32_t wrong_sizes, first_wrong_size_face;    ///< Faces with fewer than 3 corners: always refused.
    int32_t non_finite_vertices, first_non_finite_vertex;      ///< NaN or infinite: always refused.
    int32_t non_manifold_edges, first_non_manifold_edge[2];    ///< Edges with three or more faces: refused or repaired.
    int32_t repeated_vertex_faces, first_repeated_vertex_face; ///< Faces that use a vertex twice: refused or repaired.
    int32_t duplicate_faces, first_duplicate_face;             ///< Faces with the same vertices as an earlier face.
    /// Vertices with more than one face fan, including the ends of non-manifold edges.
    int32_t non_manifold_vertices, first_non_manifold_vertex;
    int32_t isolated_vertices, first_isolated_vertex;   ///< Vertices that no face uses; they become fixed particles.
    int32_t duplicate_vertices, first_duplicate_vertex; ///< Vertices at exactly the position of an earlier vertex.
    int32_t zero_area_faces, first_zero_area_face; ///< Faces with area <= 1e-7 times the square of the longest side.
    /// Edges that both adjacent faces traverse in the same direction.
    int32_t misoriented_edges, first_misoriented_edge[2];
    float edge_length_min, edge_length_mean, edge_length_max; ///< [m]
    double area;                                              ///< [m2]
    double volume;                   ///< Signed volume of the triangulation [m3]; valid if `closed` and `oriented`.
    pli_vec3 bounds_min, bounds_max; ///< [m]
} pli_mesh_report;

/// Checks arrays without creating a mesh, and fills the report. The adjacency counts require valid indices and face sizes; the
/// number of boundary loops requires a mesh that would be accepted. Returns the status that pli_mesh_create would return.
PLI_API pli_status pli_mesh_inspect(const pli_mesh_def *def, pli_mesh_report *report, pli_error *error);

/// Creates a mesh; the caller owns it. The time is linear in the number of face corners. Triangulation of a face with more than
/// 4 corners takes time quadratic in its number of corners; a face with more than 4096 corners becomes a triangle fan. Errors:
/// INVALID_ARGUMENT, INVALID_MESH with a message that names the element, OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_create(const pli_mesh_def *def, pli_mesh **mesh, pli_error *error);

/// Adds a reference, for a caller that keeps a borrowed mesh. Returns the mesh.
PLI_API const pli_mesh *pli_mesh_retain(const pli_mesh *mesh);
/// Releases the caller's reference. The mesh is freed with its last reference; each deformable and collider that uses the mesh
/// has one. NULL is allowed. May be called from any thread.
PLI_API void pli_mesh_destroy(pli_mesh *mesh);

/// Returns the report of the mesh after any repair. Borrowed from the mesh.
PLI_API const pli_mesh_report *pli_mesh_get_report(const pli_mesh *mesh);

/// The data that creation derives from the faces. All arrays are borrowed from the mesh.
///
/// A hinge is an interior edge (p1, p2), oriented as in its first face, together with the next vertex of each adjacent face: p3
/// in the first face and p4 in the second. In triangles, p3 and p4 are the opposite vertices.
///
///           p3
///          /  \        first face  p1 -> p2 -> p3
///        p1 -- p2
///          \  /        second face p2 -> p1 -> p4
///           p4
typedef struct pli_topology {
    int32_t vertex_count, face_count, corner_count, triangle_count, edge_count, hinge_count;
    int32_t component_count, boundary_loop_count;
    const float *positions;        ///< [3 * vertex_count] rest positions [m].
    const int32_t *face_offsets;   ///< [face_count + 1] into face_vertices.
    const int32_t *face_vertices;  ///< [corner_count]
    const int32_t *triangles;      ///< [3 * triangle_count] the triangulated faces, face by face.
    const int32_t *triangle_faces; ///< [triangle_count] the face of each triangle.
    const int32_t *edges;          ///< [2 * edge_count] the lower vertex index first, sorted.
    const int32_t *edge_faces;     ///< [2 * edge_count] the lower face index first; -1 if there is no face.
    const int32_t *hinges;         ///< [4 * hinge_count] p1 p2 p3 p4, in the order of their edges.
    const int32_t *hinge_edges;    ///< [hinge_count] the edge of each hinge.
    const int32_t *ring_offsets;   ///< [vertex_count + 1] into ring_vertices.
    /// Edge neighbours of each vertex, counter-clockwise; at a boundary vertex, the list starts at a boundary edge.
    const int32_t *ring_vertices;
    const uint8_t *vertex_boundary;   ///< [vertex_count] 1 for vertices on a boundary edge.
    const int32_t *boundary_offsets;  ///< [boundary_loop_count + 1] into boundary_vertices.
    const int32_t *boundary_vertices; ///< The vertices of the boundary loops, oriented as in the adjacent faces.
    const int32_t *vertex_components; ///< [vertex_count]; -1 for isolated vertices.
    const int32_t *face_components;   ///< [face_count]
    const uint8_t *component_closed;  ///< [component_count] 1 if the component has no boundary edge.
    /// [vertex_count] the input vertex of each vertex: the vertex itself, unless a repair duplicated it.
    const int32_t *vertex_source;
    const float *vertex_areas;       ///< [vertex_count] one third of the rest area of the adjacent triangles [m2].
    const int32_t *triangle_offsets; ///< [vertex_count + 1] into vertex_triangles.
    const int32_t *vertex_triangles; ///< [3 * triangle_count] the triangles at each vertex, ascending.
} pli_topology;

/// Returns the topology of the mesh, borrowed from the mesh.
PLI_API const pli_topology *pli_mesh_topology(const pli_mesh *mesh);

/// Writes, for each triangle corner, the corner of the neighbouring triangle across the edge that starts at this corner, or -1
/// (findTriNeighbors of Ten Minute Physics 14). `triangles` has 3 * triangle_count indices in [0, vertex_count); `neighbors`
/// has room for 3 * triangle_count corners. If an edge has more than two triangles, the first two become neighbours. Errors:
/// INVALID_MESH, OUT_OF_MEMORY.
PLI_API pli_status pli_find_triangle_neighbors(const int32_t *triangles, int32_t triangle_count, int32_t vertex_count,
                                               int32_t *neighbors, pli_error *error);

/// Writes four vertices for each pair of adjacent triangles: both ends of the shared edge, then the two opposite vertices
/// (getTriPairIds of Ten Minute Physics 14). `neighbors` is the result of pli_find_triangle_neighbors. Writes at most
/// `capacity` groups of four and returns the number of pairs. `pairs` may be NULL if capacity is 0.
PLI_API int32_t pli_triangle_pairs(const int32_t *triangles, int32_t triangle_count, const int32_t *neighbors,
                                   int32_t *pairs, int32_t capacity);

/// A vertex that a cut created (`copy`) and the vertex that it duplicates (`source`).
typedef struct pli_vertex_copy {
    int32_t source, copy;
} pli_vertex_copy;

/// How the squares of a grid are divided into faces, seen from above:
///
///     QUADS        DIAGONAL     ALTERNATING  CROSSED
///     +---+---+    +---+---+    +---+---+    +---+---+
///     |   |   |    | \ | \ |    | \ | / |    | X | X |
///     +---+---+    +---+---+    +---+---+    +---+---+
typedef enum pli_grid_pattern {
    PLI_GRID_QUADS = 0,   ///< Quads without diagonals, as in Kelager et al. 2010.
    PLI_GRID_DIAGONAL,    ///< One diagonal per square, all in the same direction.
    PLI_GRID_ALTERNATING, ///< One diagonal per square, in alternating directions.
    PLI_GRID_CROSSED      ///< Both diagonals, with a vertex at the centre of each square.
} pli_grid_pattern;

/// Creates a flat rectangle in the xz plane, centred at the origin, with faces that point along +y. Vertex (column, row) has
/// index row * columns + column; x increases with the column and z with the row. The centre vertices of crossed grids follow.
/// columns, rows >= 2 vertices; width, depth > 0 [m].
///
/// Each function that creates a ready-made mesh has two forms. The first argument of x_with() is the allocator of the
/// application, which provides the memory of the mesh and all temporary memory; NULL means the default allocator. x() uses the
/// default allocator. Errors of all forms: INVALID_ARGUMENT for sizes out of range, OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_create_grid_with(const pli_hooks *hooks, int32_t columns, int32_t rows, float width,
                                             float depth, pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_grid(int32_t columns, int32_t rows, float width, float depth,
                                              pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_grid_with(NULL, columns, rows, width, depth, pattern, mesh, error);
}

/// Creates an icosphere: 10 * 4^subdivisions + 2 vertices at distance `radius` [m] from the origin; subdivisions 0 to 9.
PLI_API pli_status pli_mesh_create_sphere_with(const pli_hooks *hooks, int32_t subdivisions, float radius,
                                               pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_sphere(int32_t subdivisions, float radius, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_sphere_with(NULL, subdivisions, radius, mesh, error);
}

/// Creates a box centred at the origin, with 8 vertices and 6 quads. `size` is the length along each axis, > 0 [m].
PLI_API pli_status pli_mesh_create_box_with(const pli_hooks *hooks, pli_vec3 size, pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_box(pli_vec3 size, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_box_with(NULL, size, mesh, error);
}

/// Creates the convex hull of the points (3 floats each [m]) from triangles that face outwards. Its vertices are a subset of the
/// points, in input order. A point that is closer to the hull of the other points than 1e-6 of the size of the point cloud, or
/// closer than the rounding error of its coordinates, may be treated as lying on that hull. O(n log n) for point clouds, O(n^2)
/// in the worst case. Errors: INVALID_ARGUMENT for fewer than four points; INVALID_MESH if a point is not finite or if all
/// points lie in a plane; OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_create_hull_with(const pli_hooks *hooks, const float *points, int32_t count,
                                             pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_hull(const float *points, int32_t count, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_hull_with(NULL, points, count, mesh, error);
}

/// Creates a tube along y, centred at the origin, from quads or triangles. `around` >= 3 and `along` >= 2 are numbers of
/// vertices; radius and length are in metres. The ends are open, or closed by triangle fans if `capped` is true.
PLI_API pli_status pli_mesh_create_tube_with(const pli_hooks *hooks, int32_t around, int32_t along, float radius,
                                             float length, bool capped, pli_grid_pattern pattern, pli_mesh **mesh,
                                             pli_error *error);
static inline pli_status pli_mesh_create_tube(int32_t around, int32_t along, float radius, float length, bool capped,
                                              pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_tube_with(NULL, around, along, radius, length, capped, pattern, mesh, error);
}

/// A plant: a stem from the origin along +y with branches that each end in a leaf. The plant is one closed surface of quads and
/// triangles. Its first `sides` vertices are the ring at the foot of the stem. The same seed gives the same plant.
typedef struct pli_plant_def {
    float height;      ///< Height of the stem [m], > 0.
    float radius;      ///< Radius of the stem at its foot [m], > 0.
    int32_t branches;  ///< Number of leaves along the stem, 0 to 64.
    int32_t segments;  ///< Vertex rings along the stem between two branches, 1 to 64.
    int32_t sides;     ///< Number of vertices around the stem, 4 to 32.
    float leaf_length; ///< [m], > 0.
    float leaf_width;  ///< [m], > 0.
    uint32_t seed;
    pli_hooks hooks; ///< Hooks for the mesh.
} pli_plant_def;

/// Returns a definition with default values, to be changed field by field.
PLI_API pli_plant_def pli_plant_def_default(void);
/// Creates a plant; the caller owns it.
PLI_API pli_status pli_mesh_create_plant(const pli_plant_def *def, pli_mesh **mesh, pli_error *error);

#ifdef __cplusplus
}
#endif

#endif
