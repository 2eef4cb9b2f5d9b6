/// Pliant, shapes: what colliders and rigid bodies are made of, as a table.
///
/// A shape is a row of a table, as a constraint type is: its name, the sizes it takes from a pli_collider_def, how far
/// it reaches, its support point, mass, triangles, signed distance and rays. World, scenes, rigid bodies, pictures and
/// exports ask the row and never the value of pli_shape, so that a new shape is one file in src/shapes/types and one
/// line of PLI_SHAPES.
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
/// All of it is told in the shape's own frame: the pose of the definition is not used. Only the sizes that the shape
/// takes are read. Unless it says otherwise, a function expects sizes that pli_shape_check accepts. No function changes
/// anything, and all may be called from any thread.
#ifndef PLIANT_SHAPE_H
#define PLIANT_SHAPE_H

#include "mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

struct pli_collider_def;

/* ---- the table ------------------------------------------------------------------------------ */

/// The table, one line per shape: the end of its value, its name in scenes, its label in panels, its kind, which sizes
/// it takes (the columns of PLI_SHAPE_FIELDS, 1 or 0), and a sentence about it. Kinds: HALF_SPACE does not end, SOLID is
/// convex with a volume of its own, HULL is one made of the vertices of a mesh, TRIANGLES are the faces of a mesh.
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

/// PLI_SHAPE_PLANE, PLI_SHAPE_SPHERE and so on, in the order of the table, then their number.
#define PLI_SHAPE_VALUE(value, ...) PLI_SHAPE_##value,
typedef enum pli_shape { PLI_SHAPES(PLI_SHAPE_VALUE) PLI_SHAPE_COUNT, PLI_SHAPE_FORCE_32 = PLI_FORCE_32 } pli_shape;
#undef PLI_SHAPE_VALUE

/// The sizes that shapes take: members of pli_collider_def and keys of scenes, in metres. Member, label, how many
/// numbers, least and greatest, default of each number, what 0 means (or NULL), and a sentence.
#define PLI_SHAPE_FIELDS(FIELD)                                                                                        \
    FIELD(radius, "Radius", 1, 1e-6, 1e6, 0.5, NULL,                                                                   \
          "Radius of what is round about a point or an axis; of a tapered capsule, at its lower end.")                 \
    FIELD(half_height, "Half height", 1, 0, 1e6, 0.5, "a sphere",                                                      \
          "Distance from the centre to each end of the axis, along local y.")                                          \
    FIELD(half_extents, "Half extents", 3, 1e-6, 1e6, 0.5, NULL, "Half the size of a box along each of its axes.")     \
    FIELD(top_radius, "Top radius", 1, 1e-6, 1e6, 0.25, NULL,                                                          \
          "Radius at the upper end of the axis of a tapered capsule.")

/// A size that shapes may take.
typedef struct pli_shape_field {
    const char *name;        ///< Of the member of pli_collider_def, and of the scene's key.
    int32_t length;          ///< 1 for a float, 3 for a pli_vec3.
    size_t offset;           ///< Of the member in pli_collider_def [bytes].
    const char *label;       ///< As a panel shows it.
    double minimum, maximum; ///< Valid range of each number, ends included [m].
    double initial;          ///< Default of each number [m].
    const char *summary;     ///< One full sentence.
} pli_shape_field;

PLI_API int32_t pli_shape_field_count(void);
/// Null when out of range.
PLI_API const pli_shape_field *pli_shape_field_at(int32_t i);

/// Properties of a shape that do not depend on its sizes.
typedef struct pli_shape_info {
    pli_shape shape;
    const char *name;    ///< As in scenes.
    const char *label;   ///< As a panel shows it.
    const char *summary; ///< One full sentence.
    uint32_t fields;     ///< Bit i: it takes the size pli_shape_field_at(i).
    bool bounded; ///< It ends somewhere, so that it can be tessellated, drawn, and carried by a rigid body. False for
                  ///< the half-space below local y = 0.
    bool convex;
    bool solid;      ///< Bounded, convex and with a volume: rigid bodies may be made of it.
    bool takes_mesh; ///< It is made of the vertices or faces of pli_collider_def.mesh.
    bool deforms;    ///< Its vertices may move (pli_collider_set_vertices).
} pli_shape_info;

PLI_API int32_t pli_shape_count(void);
/// The row of that value; null when out of range.
PLI_API const pli_shape_info *pli_shape_at(int32_t i);
/// Null when no shape has the name.
PLI_API const pli_shape_info *pli_shape_find(const char *name);
/// "unknown shape" when out of range.
PLI_API const char *pli_shape_name(pli_shape shape);
PLI_API bool pli_shape_from_name(const char *name, pli_shape *shape);

/* ---- one shape ------------------------------------------------------------------------------ */

/// Whether the sizes are sound. INVALID_ARGUMENT with the shape's name, what is wrong, and what it should be.
PLI_API pli_status pli_shape_check(const struct pli_collider_def *def, pli_error *error);

/// Radius of the ball about the frame's origin that holds the shape [m]; infinite when it is not bounded.
PLI_API float pli_shape_reach(const struct pli_collider_def *def);

/// The point of a bounded convex shape, or of a mesh's vertices, that lies farthest along `direction` (of any length
/// but 0). False when it is not bounded.
PLI_API bool pli_shape_support(const struct pli_collider_def *def, pli_vec3 direction, pli_vec3 *point);

/// The least box about the shape in `pose`, in the world's axes. False when it is not bounded.
PLI_API bool pli_shape_bounds(const struct pli_collider_def *def, pli_transform pose, pli_vec3 *low, pli_vec3 *high);

/// A box about the frame's origin, rounded: all points within `radius` of it. Without extents that is a ball, with
/// those along y alone a capsule, and without radius a box.
typedef struct pli_shape_core {
    pli_vec3 half_extents; ///< [m], >= 0.
    float radius;          ///< [m], >= 0.
} pli_shape_core;

/// False when the shape is no rounded box.
PLI_API bool pli_shape_core_of(const struct pli_collider_def *def, pli_shape_core *core);

/// Mass properties of a solid.
typedef struct pli_mass_properties {
    double mass;       ///< [kg]
    double centre[3];  ///< Of mass [m].
    double inertia[6]; ///< About the centre: xx yy zz xy xz yz [kg m2].
} pli_mass_properties;

/// Mass properties of the shape filled evenly with `density` [kg/m3]. INVALID_ARGUMENT for a mesh that is not closed and oriented;
/// UNSUPPORTED when the shape is not bounded; errors of pli_shape_tessellate for hulls.
PLI_API pli_status pli_shape_mass(const struct pli_collider_def *def, double density, pli_mass_properties *mass,
                                  pli_error *error);

/// A resolution at which round shapes look round and meet others smoothly.
#define PLI_SHAPE_RESOLUTION 24
#define PLI_SHAPE_RESOLUTION_MAX 512

/// A triangle mesh of the shape's surface that faces outwards and has its vertices on the surface, for the caller to
/// destroy. `resolution` is the number of edges around what is round, 4 to PLI_SHAPE_RESOLUTION_MAX; boxes, hulls and
/// meshes have the faces they have. Closed, but for meshes that are open, which are returned as they are. `hooks` may
/// be null. Errors: INVALID_ARGUMENT for sizes or resolution; INVALID_MESH for a hull without volume; UNSUPPORTED when
/// the shape is not bounded; OUT_OF_MEMORY.
PLI_API pli_status pli_shape_tessellate(const struct pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                        pli_mesh **mesh, pli_error *error);

/// Distance of a point from the surface, negative inside [m], and the unit gradient of that distance: the outward
/// normal at the nearest point of the surface. The very arithmetic that contacts use. False for hulls and meshes, which
/// collide as surfaces of triangles.
PLI_API bool pli_shape_distance(const struct pli_collider_def *def, pli_vec3 point, float *distance,
                                pli_vec3 *gradient);

/// Where a ray from outside first meets the surface: the distance from `origin` along `direction` (of any length but 0)
/// [m] and the unit outward normal there; for meshes, that of the face. Rays from inside a shape with a distance meet
/// nothing. False when nothing is met within `reach`, and when an argument is not finite.
PLI_API bool pli_shape_ray(const struct pli_collider_def *def, pli_vec3 origin, pli_vec3 direction, float reach,
                           float *distance, pli_vec3 *normal);

#ifdef __cplusplus
}
#endif
#endif
