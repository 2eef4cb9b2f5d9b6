/// Pliant, shapes: the geometry of colliders and rigid bodies, as a table.
///
/// A shape is a row of a table, like a constraint type: its name, the sizes that it uses of a pli_collider_def, its bounding
/// radius, support point, mass, triangles, signed distance and ray intersection. World, scenes, rigid bodies, pictures and exports use
/// the row and never the value of pli_shape. A new shape is therefore one file in src/shapes/types and one line of PLI_SHAPES.
///
///     for (int32_t i = 0; i < pli_shape_count(); i++)
///         printf("%s: %s\n", pli_shape_at(i)->name, pli_shape_at(i)->summary);
///
///     pli_collider_def def = pli_collider_def_default();
///     def.shape = PLI_SHAPE_CYLINDER;
///     def.radius = 0.2f, def.half_height = 0.5f;
///     pli_mass_properties mass;
///     pli_mesh *mesh;
///     pli_shape_mass(&def, 700.0, &mass, &error);          // A log of oak.
///     pli_shape_tessellate(&def, 32, NULL, &mesh, &error); // To draw or export it.
///
/// Points, directions and results are in the frame of the shape, unless a function takes a pose; the pose of the definition is not used.
/// Only the sizes that the shape uses are read. Definitions and output pointers must not be null; `error` may be null.
/// Invalid sizes are rejected: functions that return bool return false and leave their outputs unchanged, and other functions return
/// the error of pli_shape_check. Only pli_shape_reach requires valid sizes. Rows and names are constants of the library and must not
/// be freed. No function changes a definition or a mesh. All functions may be called from any thread.
#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pli_collider_def;

/* ---- the table ------------------------------------------------------------------------------ */

/// The table, with one line per shape: the suffix of its enumerator, its name in scenes, its label in user interfaces, its kind, the
/// sizes that it uses (1 or 0 for each row of PLI_SHAPE_FIELDS), and a sentence that describes it. Kinds: HALF_SPACE is unbounded, SOLID
/// is convex and has a volume, HULL is the convex hull of the vertices of a mesh, TRIANGLES are the faces of a mesh.
#define PLI_SHAPES(SHAPE)                                                                                              \
    SHAPE(PLANE, plane, "Plane", HALF_SPACE, 0, 0, 0, 0, "A half-space, solid below its local y = 0.")                 \
    SHAPE(SPHERE, sphere, "Sphere", SOLID, 1, 0, 0, 0, "A ball around the origin of its frame.")                       \
    SHAPE(CAPSULE, capsule, "Capsule", SOLID, 1, 1, 0, 0, "All points within the radius of a segment along local y.")  \
    SHAPE(BOX, box, "Box", SOLID, 0, 0, 1, 0, "A box around the origin of its frame, along its axes.")                 \
    SHAPE(HULL, hull, "Convex hull", HULL, 0, 0, 0, 0, "The convex hull of the vertices of a mesh.")                   \
    SHAPE(MESH, mesh, "Mesh", TRIANGLES, 0, 0, 0, 0,                                                                   \
          "The triangles of a mesh: solid when closed, a two-sided sheet when open.")                                  \
    SHAPE(CYLINDER, cylinder, "Cylinder", SOLID, 1, 1, 0, 0,                                                           \
          "All points within the radius of an axis along local y, between two flat ends.")                             \
    SHAPE(TAPERED_CAPSULE, tapered_capsule, "Tapered capsule", SOLID, 1, 1, 0, 1,                                      \
          "The convex hull of two balls along local y, one at each end of the axis.")

/// PLI_SHAPE_PLANE, PLI_SHAPE_SPHERE and so on in the order of the table, followed by the number of shapes.
#define PLI_SHAPE_VALUE(value, ...) PLI_SHAPE_##value,
typedef enum pli_shape { PLI_SHAPES(PLI_SHAPE_VALUE) PLI_SHAPE_COUNT } pli_shape;
#undef PLI_SHAPE_VALUE

/// The sizes that shapes use: members of pli_collider_def and keys of scenes, in metres. Each line has the member, its label, the
/// number of components, the minimum and maximum, the default of each component, the meaning of 0 (or NULL), and a sentence that
/// describes the size.
#define PLI_SHAPE_FIELDS(FIELD)                                                                                        \
    FIELD(radius, "Radius", 1, 1e-6, 1e6, 0.5, NULL,                                                                   \
          "Radius of what is round about a point or an axis; of a tapered capsule, at its lower end.")                 \
    FIELD(half_height, "Half height", 1, 0, 1e6, 0.5, "a sphere",                                                      \
          "Distance from the centre to each end of the axis, along local y.")                                          \
    FIELD(half_extents, "Half extents", 3, 1e-6, 1e6, 0.5, NULL, "Half the size of a box along each of its axes.")     \
    FIELD(top_radius, "Top radius", 1, 1e-6, 1e6, 0.25, NULL,                                                          \
          "Radius at the upper end of the axis of a tapered capsule.")

/// A size that shapes may use.
typedef struct pli_shape_field {
    const char *name;        ///< Name of the member of pli_collider_def and of the key in scenes.
    int32_t length;          ///< 1 for a float, 3 for a pli_vec3.
    size_t offset;           ///< Offset of the member in pli_collider_def [bytes].
    const char *label;       ///< The name to show in a user interface.
    double minimum, maximum; ///< Valid range of each component, ends included [m].
    double initial;          ///< Default of each component [m].
    const char *summary;     ///< One full sentence.
} pli_shape_field;

/// The number of sizes, at most 32.
PLI_API int32_t pli_shape_field_count(void);
/// The size with index i, 0..pli_shape_field_count() - 1; null when out of range.
PLI_API const pli_shape_field *pli_shape_field_at(int32_t i);

/// Properties of a shape that do not depend on its sizes.
typedef struct pli_shape_info {
    pli_shape shape;     ///< Value of the shape.
    const char *name;    ///< Name in scenes.
    const char *label;   ///< The name to show in a user interface.
    const char *summary; ///< One full sentence.
    uint32_t fields;     ///< Bit i: the shape uses the size pli_shape_field_at(i).
    bool bounded;    ///< It has finite extent, so it can be tessellated, drawn, and carried by a rigid body. False for
                     ///< the half-space below local y = 0.
    bool convex;     ///< The segment between any two of its points is in it.
    bool solid;      ///< It is bounded and convex and has a volume: rigid bodies may use it.
    bool takes_mesh; ///< It uses the vertices or faces of pli_collider_def.mesh.
    bool deforms;    ///< Its vertices may move (pli_collider_set_vertices).
} pli_shape_info;

/// The number of shapes: PLI_SHAPE_COUNT as the library was built.
PLI_API int32_t pli_shape_count(void);
/// The row of the shape with value i; null when out of range.
PLI_API const pli_shape_info *pli_shape_at(int32_t i);
/// The row of the shape with this name; null when there is none, and when `name` is null.
PLI_API const pli_shape_info *pli_shape_find(const char *name);

/* ---- one shape ------------------------------------------------------------------------------ */

/// Checks the shape and the sizes that it uses. Errors: INVALID_ARGUMENT with the name of the shape, the invalid size and its
/// valid range in the message.
PLI_API pli_status pli_shape_check(const struct pli_collider_def *def, pli_error *error);

/// Radius of a sphere about the origin of the frame that contains the shape [m], > 0; infinite for an unbounded shape. The sizes must be
/// valid.
PLI_API float pli_shape_reach(const struct pli_collider_def *def);

/// Support point: the point of a bounded convex shape, or of the vertices of a mesh, that is farthest along `direction` [m]. The direction
/// may have any length except 0. False for an unbounded shape, a direction that is zero or not finite, and invalid sizes.
PLI_API bool pli_shape_support(const struct pli_collider_def *def, pli_vec3 direction, pli_vec3 *point);

/// Writes the axis-aligned bounding box of the shape [m] in `pose`, which must have a unit rotation. False for an unbounded shape and for
/// invalid sizes.
PLI_API bool pli_shape_bounds(const struct pli_collider_def *def, pli_transform pose, pli_vec3 *low, pli_vec3 *high);

/// A rounded box: all points within `radius` of a box about the origin of the frame. Without extents it is a sphere, with extent only
/// along y a capsule, and without radius a box.
typedef struct pli_shape_core {
    pli_vec3 half_extents; ///< Half the side lengths of the inner box [m], >= 0.
    float radius;          ///< Radius of the rounding [m], >= 0.
} pli_shape_core;

/// Writes the shape as a rounded box. False if it is not a rounded box, and for invalid sizes.
PLI_API bool pli_shape_core_of(const struct pli_collider_def *def, pli_shape_core *core);

/// Mass properties of a solid.
typedef struct pli_mass_properties {
    double mass;       ///< Mass [kg].
    double centre[3];  ///< Centre of mass [m].
    double inertia[6]; ///< Inertia about the centre [kg m2]: xx yy zz xy xz yz.
} pli_mass_properties;

/// Computes the mass properties of the shape with uniform `density` [kg/m3], > 0. On failure `mass` is zero. Errors: INVALID_ARGUMENT for
/// invalid sizes, an invalid density, and a mesh that is not closed and oriented; UNSUPPORTED for an unbounded shape; for hulls, the
/// errors of pli_shape_tessellate.
PLI_API pli_status pli_shape_mass(const struct pli_collider_def *def, double density, pli_mass_properties *mass,
                                  pli_error *error);

/// Default resolution in edges around a circle. With it, round shapes look round and slide smoothly on other shapes.
#define PLI_SHAPE_RESOLUTION 24
/// Highest resolution.
#define PLI_SHAPE_RESOLUTION_MAX 512

/// Creates a triangle mesh of the surface of the shape, oriented outwards, with its vertices on the surface. The caller destroys it
/// (pli_mesh_destroy). `resolution` is the number of edges around a circle, 4 to PLI_SHAPE_RESOLUTION_MAX; boxes, hulls and meshes do not
/// depend on it. The mesh is closed, except that an open mesh is returned as it is. `hooks` are the hooks of the new mesh and may be
/// null. On failure `mesh` is null. Errors: INVALID_ARGUMENT for invalid sizes or resolution; INVALID_MESH for a hull without volume;
/// UNSUPPORTED for an unbounded shape; OUT_OF_MEMORY.
PLI_API pli_status pli_shape_tessellate(const struct pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                        pli_mesh **mesh, pli_error *error);

/// Signed distance of a point from the surface [m], negative inside, and its unit gradient, which is the outward normal at the nearest
/// point of the surface. Contacts use the same arithmetic. False for hulls and meshes, which collide as surfaces of triangles, and
/// for invalid sizes.
PLI_API bool pli_shape_distance(const struct pli_collider_def *def, pli_vec3 point, float *distance,
                                pli_vec3 *gradient);

/// First intersection of a ray from outside with the surface: the distance [m] from `origin` along `direction`, which may have any length
/// except 0, and the unit outward normal at the intersection; for meshes, the normal of the face. A ray from inside a shape with a signed
/// distance has no intersection. False if there is none within `reach` >= 0 [m], if an argument is not finite, and for invalid sizes.
/// Hulls and meshes are tessellated in each call, which allocates memory.
PLI_API bool pli_shape_ray(const struct pli_collider_def *def, pli_vec3 origin, pli_vec3 direction, float reach,
                           float *distance, pli_vec3 *normal);

#ifdef __cplusplus
}
#endif
#endif
