/// Pliant, mesh. Polygon meshes with adjacency (edges, hinges, one-rings, boundary loops) computed once at creation.
///
///     pli_mesh_def def = pli_mesh_def_default();
///     def.positions = positions, def.vertex_count = 4;
///     def.face_vertices = triangles, def.face_count = 2;
///     pli_mesh *mesh;
///     if (pli_mesh_create(&def, &mesh, &error) != PLI_STATUS_OK) ...
///     const pli_topology *t = pli_mesh_topology(mesh);   // t->edge_count is 5
///     pli_mesh_destroy(mesh);
///
/// A mesh is immutable after creation and may be shared by any number of worlds and threads. Faces keep their number
/// of corners: quads stay quads and have no diagonal edge.
#ifndef PLIANT_MESH_H
#define PLIANT_MESH_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A mesh; opaque. Counted by references: see pli_mesh_retain and pli_mesh_destroy.
typedef struct pli_mesh pli_mesh;

/// How creation treats non-manifold edges and degenerate faces.
typedef enum pli_mesh_policy {
    /// Refuse non-manifold edges and faces that use a vertex twice; name the first one. The default.
    PLI_MESH_REFUSE = 0,
    /// Drop faces that use a vertex twice and faces that repeat another's vertices, reorient faces so that neighbours
    /// agree, and split the mesh at non-manifold edges and at vertices shared by several face fans, by duplicating
    /// vertices. Added vertices come after the given ones (pli_topology.vertex_source).
    PLI_MESH_REPAIR,
    PLI_MESH_POLICY_FORCE_32 = PLI_FORCE_32
} pli_mesh_policy;

/// Polygons from arrays. The arrays are copied.
typedef struct pli_mesh_def {
    uint32_t size;                ///< Bytes of this struct; set by the default function.
    uint32_t cookie;              ///< Set by the default function.
    const float *positions;       ///< 3 floats a vertex [m]; all must be finite.
    int32_t vertex_count;         ///< >= 0.
    int32_t position_stride;      ///< Bytes between vertices; 0 means 12.
    const int32_t *face_sizes;    ///< Vertices of each face, each >= 3; null means all faces are triangles.
    const int32_t *face_vertices; ///< Vertex indices of all faces, concatenated; counter-clockwise seen from the front.
    int32_t face_count;           ///< >= 0.
    pli_mesh_policy policy;
    pli_hooks hooks;
} pli_mesh_def;

/// Fills `size` bytes of a definition with its defaults; see pli_mesh_def_default.
PLI_API void pli_mesh_def_init(pli_mesh_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_mesh_def pli_mesh_def_default(void)
{
    pli_mesh_def def;
    pli_mesh_def_init(&def, sizeof def);
    return def;
}

/// Counts and defects. For each defect: how many elements have it, and the input index of the first, or -1.
typedef struct pli_mesh_report {
    int32_t vertex_count, face_count, triangle_count;
    int32_t edge_count, hinge_count, boundary_edge_count, boundary_loop_count, component_count;
    int32_t face_degree_min, face_degree_max;
    bool closed;                                               ///< There are faces and no boundary edge.
    bool oriented;                                             ///< Neighbouring faces agree in their orientation.
    int32_t wrong_indices, first_wrong_index_face;             ///< Face corners outside the vertices: always refused.
    int32_t wrong_sizes, first_wrong_size_face;                ///< Faces with fewer than 3 corners: always refused.
    int32_t non_finite_vertices, first_non_finite_vertex;      ///< NaN or infinite: always refused.
    int32_t non_manifold_edges, first_non_manifold_edge[2];    ///< Edges of three or more faces: refused or repaired.
    int32_t repeated_vertex_faces, first_repeated_vertex_face; ///< Faces using a vertex twice: refused or repaired.
    int32_t duplicate_faces, first_duplicate_face;             ///< Faces on the same vertices as an earlier one.
    int32_t non_manifold_vertices,
        /// Vertices whose faces form more than one fan, including ends of non-manifold edges.
        first_non_manifold_vertex;
    int32_t isolated_vertices, first_isolated_vertex;   ///< Used by no face; they become fixed particles.
    int32_t duplicate_vertices, first_duplicate_vertex; ///< At exactly the position of an earlier vertex.
    int32_t zero_area_faces, first_zero_area_face;      ///< Area <= 1e-7 of the longest side squared.
    int32_t misoriented_edges,
        first_misoriented_edge[2]; ///< Edges that both adjacent faces traverse in the same direction.
    float edge_length_min, edge_length_mean, edge_length_max; ///< [m]
    double area;                                              ///< [m2]
    double volume;                   ///< Signed, from the triangulation [m3]; meaningful when closed and oriented.
    pli_vec3 bounds_min, bounds_max; ///< [m]
} pli_mesh_report;

/// Checks arrays without making a mesh. Adjacency counts need valid indices and face sizes; boundary loops need a
/// mesh that would be accepted. Returns what pli_mesh_create would.
PLI_API pli_status pli_mesh_inspect_sized(const pli_mesh_def *def, pli_mesh_report *report, size_t size,
                                          pli_error *error);
static inline pli_status pli_mesh_inspect(const pli_mesh_def *def, pli_mesh_report *report, pli_error *error)
{
    return pli_mesh_inspect_sized(def, report, sizeof *report, error);
}

/// Creates a mesh; the caller owns it. Linear in face corners; faces above 4 corners are triangulated in degree^2
/// (above 4096 corners as a fan). Errors: INVALID_ARGUMENT, INVALID_MESH naming the element, OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_create(const pli_mesh_def *def, pli_mesh **mesh, pli_error *error);

/// Takes one more reference, for a caller that keeps a borrowed mesh. Returns the mesh.
PLI_API const pli_mesh *pli_mesh_retain(const pli_mesh *mesh);
/// Releases the caller's reference. The mesh is freed with the last deformable or collider that uses it. NULL is
/// allowed. Safe from any thread.
PLI_API void pli_mesh_destroy(pli_mesh *mesh);

/// The report of the mesh as made (after repair).
PLI_API const pli_mesh_report *pli_mesh_get_report(const pli_mesh *mesh);

/// Everything derived from the faces, once. Borrowed from the mesh.
///
/// A hinge is an interior edge (p1, p2), oriented as in its first face, with the next vertex of each face: p3 in the
/// first, p4 in the second. In triangles these are the opposite vertices.
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
    const int32_t *triangles;      ///< [3 * triangle_count] the faces triangulated, face by face.
    const int32_t *triangle_faces; ///< [triangle_count] the face each triangle came from.
    const int32_t *edges;          ///< [2 * edge_count] lower index first, sorted.
    const int32_t *edge_faces;     ///< [2 * edge_count] lower face first; -1 where there is none.
    const int32_t *hinges;         ///< [4 * hinge_count] p1 p2 p3 p4, in the order of their edges.
    const int32_t *hinge_edges;    ///< [hinge_count] index of the edge.
    const int32_t *ring_offsets;   ///< [vertex_count + 1] into ring_vertices.
    const int32_t
        *ring_vertices; ///< Edge neighbours, counter-clockwise; at a boundary vertex starting from a boundary edge.
    const uint8_t *vertex_boundary;   ///< [vertex_count] 1 on a boundary edge.
    const int32_t *boundary_offsets;  ///< [boundary_loop_count + 1] into boundary_vertices.
    const int32_t *boundary_vertices; ///< Boundary loops, oriented like the adjacent faces.
    const int32_t *vertex_components; ///< [vertex_count]; -1 for isolated vertices.
    const int32_t *face_components;   ///< [face_count]
    const uint8_t *component_closed;  ///< [component_count] 1 when the component has no boundary edge.
    const int32_t *vertex_source;    ///< [vertex_count] the input vertex each came from; i itself unless cut by repair.
    const float *vertex_areas;       ///< [vertex_count] a third of each adjacent triangle's rest area [m2].
    const int32_t *triangle_offsets; ///< [vertex_count + 1] into vertex_triangles.
    const int32_t *vertex_triangles; ///< [3 * triangle_count] triangles around each vertex, ascending.
} pli_topology;

PLI_API const pli_topology *pli_mesh_topology(const pli_mesh *mesh);

/// For each corner of each triangle list: the corner of the neighbouring triangle across the edge
/// that starts there, or -1 (findTriNeighbors of Ten Minute Physics 14). `triangles` has 3 * triangle_count
/// indices in [0, vertex_count); `neighbors` has room for as many. An edge of more than two
/// triangles pairs its first two. Errors: INVALID_MESH, OUT_OF_MEMORY.
PLI_API pli_status pli_find_triangle_neighbors(const int32_t *triangles, int32_t triangle_count, int32_t vertex_count,
                                               int32_t *neighbors, pli_error *error);

/// For each pair of adjacent triangles four vertices: both ends of the shared edge, then the two opposite ones
/// (getTriPairIds of Ten Minute Physics 14), from the result of pli_find_triangle_neighbors. Writes at most
/// `capacity` groups of four and returns how many there are. `pairs` may be NULL when capacity is 0.
PLI_API int32_t pli_triangle_pairs(const int32_t *triangles, int32_t triangle_count, const int32_t *neighbors,
                                   int32_t *pairs, int32_t capacity);

/// A vertex that a cut made, and the one it was copied from.
typedef struct pli_vertex_copy {
    int32_t source, copy;
} pli_vertex_copy;

/// How grids look, from above:
///
///     QUADS        DIAGONAL     ALTERNATING  CROSSED
///     +---+---+    +---+---+    +---+---+    +---+---+
///     |   |   |    | \ | \ |    | \ | / |    | X | X |
///     +---+---+    +---+---+    +---+---+    +---+---+
/// How the squares of a grid are divided.
typedef enum pli_grid_pattern {
    PLI_GRID_QUADS = 0,   ///< Quads without diagonals, as in Kelager et al. 2010.
    PLI_GRID_DIAGONAL,    ///< One diagonal, all the same way.
    PLI_GRID_ALTERNATING, ///< One diagonal, alternating.
    PLI_GRID_CROSSED,     ///< Both diagonals, with a vertex in the middle of each square.
    PLI_GRID_PATTERN_FORCE_32 = PLI_FORCE_32
} pli_grid_pattern;

/// "quads", "diagonal", "alternating", "crossed".
PLI_API const char *pli_grid_pattern_name(pli_grid_pattern pattern);
PLI_API bool pli_grid_pattern_from_name(const char *name, pli_grid_pattern *pattern);

/// Ready-made meshes. Each x() has a twin x_with() whose first argument is the host's allocator; the mesh, and all
/// that is needed while it is made, comes from there. NULL means the default one. Errors: INVALID_ARGUMENT for sizes
/// out of range, OUT_OF_MEMORY. A flat rectangle in the xz plane, centred at the origin, its faces looking along +y.
/// Vertex (column, row) has index row * columns + column, x growing with the column and z with the row; middle
/// vertices of crossed grids come after. columns, rows >= 2 vertices; width, depth > 0 [m].
PLI_API pli_status pli_mesh_create_grid_with(const pli_hooks *hooks, int32_t columns, int32_t rows, float width,
                                             float depth, pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_grid(int32_t columns, int32_t rows, float width, float depth,
                                              pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_grid_with(NULL, columns, rows, width, depth, pattern, mesh, error);
}

/// An icosphere: 10 * 4^subdivisions + 2 vertices at distance `radius` [m] from the origin; subdivisions 0 to 9.
PLI_API pli_status pli_mesh_create_sphere_with(const pli_hooks *hooks, int32_t subdivisions, float radius,
                                               pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_sphere(int32_t subdivisions, float radius, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_sphere_with(NULL, subdivisions, radius, mesh, error);
}

/// A box centred at the origin: 8 vertices, 6 quads. The size along each axis > 0 [m].
PLI_API pli_status pli_mesh_create_box_with(const pli_hooks *hooks, pli_vec3 size, pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_box(pli_vec3 size, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_box_with(NULL, size, mesh, error);
}

/// The convex hull of the points (3 floats each [m]), as triangles that face outwards. Its vertices are a subset of
/// the points, in input order. Points nearer to the hull of others than 1e-6 of the cloud's size (or than the
/// rounding of its coordinates) may count as part of it. O(n log n) for clouds, O(n^2) at worst. Errors:
/// INVALID_ARGUMENT for fewer than four points; INVALID_MESH when one is not finite, or when all lie in a plane;
/// OUT_OF_MEMORY.
PLI_API pli_status pli_mesh_create_hull_with(const pli_hooks *hooks, const float *points, int32_t count,
                                             pli_mesh **mesh, pli_error *error);
static inline pli_status pli_mesh_create_hull(const float *points, int32_t count, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_hull_with(NULL, points, count, mesh, error);
}

/// A tube along y, centred at the origin, of quads or triangles: `around` >= 3, `along` >= 2
/// vertices; open at both ends, or closed by fans of triangles when `capped`.
PLI_API pli_status pli_mesh_create_tube_with(const pli_hooks *hooks, int32_t around, int32_t along, float radius,
                                             float length, bool capped, pli_grid_pattern pattern, pli_mesh **mesh,
                                             pli_error *error);
static inline pli_status pli_mesh_create_tube(int32_t around, int32_t along, float radius, float length, bool capped,
                                              pli_grid_pattern pattern, pli_mesh **mesh, pli_error *error)
{
    return pli_mesh_create_tube_with(NULL, around, along, radius, length, capped, pattern, mesh, error);
}

/// A plant: a stem along +y from the origin that branches, each branch ending in a leaf. One closed
/// surface of quads and triangles; the first `sides` vertices are the ring at its foot. The same seed gives the same
/// plant.
typedef struct pli_plant_def {
    uint32_t size;     ///< Bytes of this struct; set by the default function.
    uint32_t cookie;   ///< Set by the default function.
    float height;      ///< Height of the stem [m], > 0.
    float radius;      ///< Radius of the stem at its foot [m], > 0.
    int32_t branches;  ///< Leaves along the stem, 0 to 64.
    int32_t segments;  ///< Rings of vertices along the stem between branches, 1 to 64.
    int32_t sides;     ///< Vertices around the stem, 4 to 32.
    float leaf_length; ///< [m], > 0.
    float leaf_width;  ///< [m], > 0.
    uint32_t seed;
    pli_hooks hooks; ///< Hooks of the mesh.
} pli_plant_def;

/// Fills `size` bytes of a definition with its defaults; see pli_plant_def_default.
PLI_API void pli_plant_def_init(pli_plant_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_plant_def pli_plant_def_default(void)
{
    pli_plant_def def;
    pli_plant_def_init(&def, sizeof def);
    return def;
}
PLI_API pli_status pli_mesh_create_plant(const pli_plant_def *def, pli_mesh **mesh, pli_error *error);

#ifdef __cplusplus
}
#endif

#define PLIANT_OLD_NAMES_OF_MESH // For one version.
#include "deprecated.h"

#endif
