/// Pliant, colliders: shapes and meshes that deformables do not enter, still or animated.
///
///     pli_collider_def def = pli_collider_def_default();
///     def.shape = PLI_SHAPE_CAPSULE, def.radius = 0.1f, def.half_height = 0.3f;
///     pli_collider arm;
///     if (pli_collider_create(world, &def, &arm, &error) != PLI_STATUS_OK) ...
///     pli_collider_set_pose(world, arm, pose, NULL);     // each frame, before the step
///     pli_collider_destroy(world, arm, NULL);
///
/// A capsule, in its own frame; the segment has length 2 * half_height and y is up:
///
///         .-'-.      y =  half_height + radius
///        |     |     y =  half_height
///        |  +  |     origin
///        |     |     y = -half_height
///         '-.-'
#ifndef PLIANT_COLLIDER_H
#define PLIANT_COLLIDER_H

#include "handles.h"
#include "mesh.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Which yields where a collider that the host moves would have to pass through cloth that has no place to go.
typedef enum pli_yields {
    /// The cloth, where the vertices of the collider are animated, as those of a character; else the collider, as a press does.
    PLI_YIELDS_AUTO = 0,
    /// The collider stops, and continues as soon as it can: surfaces never cross, and it may be behind its animation.
    PLI_YIELDS_COLLIDER,
    /// The cloth: the collider reaches its pose or vertices exactly in each step. Cloth that cannot be kept out passes into it, is
    /// counted (pli_statistics, pli_collider_lag), and is brought out as soon as there is room.
    PLI_YIELDS_CLOTH,
    PLI_YIELDS_COUNT,
    PLI_YIELDS_FORCE_32 = PLI_FORCE_32
} pli_yields;

/// "auto", "collider", "cloth".
PLI_API const char *pli_yields_name(pli_yields yields);
PLI_API bool pli_yields_from_name(const char *name, pli_yields *yields);

/// How a collider is created. Sizes that a shape does not use are ignored.
typedef struct pli_collider_def {
    uint32_t size;         ///< Bytes of this struct; set by the default function.
    uint32_t cookie;       ///< Set by the default function.
    pli_shape shape;       ///< pliant/shape.h has what each is and which of the sizes it takes.
    float radius;          ///< [m], > 0.
    float half_height;     ///< [m], >= 0.
    pli_vec3 half_extents; ///< [m], > 0.
    /// Vertices of a hull, triangles of a mesh; the world keeps a reference. Triangles that are closed and consistently
    /// oriented outwards: solid, particles inside are pushed out; inwards: a container. Otherwise (holes, inconsistent
    /// faces, vertices doubled along seams) a two-sided sheet without an inside. Faces without area collide as edges.
    const pli_mesh *mesh;
    /// Meshes: contact from the front of each face only. Faces without area collide from all sides. Default
    /// false.
    bool one_sided;
    float thickness;    ///< Distance kept beyond that of deformables [m], >= 0. Default 0.
    pli_transform pose; ///< In the world, or in the frame of `body`.
    float friction;     ///< Coulomb's coefficient, >= 0. Default 0.3.
    float restitution;  ///< 0..1. Default 0.
    uint32_t layers;    ///< Bits of the layers it is in. Default 1.
    uint32_t mask;      ///< Layers it collides with; both sides must agree. Default all.
    /// Rigid body that carries it and receives the impulses of its contacts; null for none. Not for planes.
    pli_rigid_body body;
    uint64_t user_data; ///< For the caller's contact lists and filters. Default 0.
    float top_radius;   ///< Tapered capsules: radius of the end at +y [m], > 0. Default 0.25.
    /// Lever of rolling friction [m], >= 0: the torque that resists that a free deformable rolls on it, as a balloon does,
    /// over the normal force. Some percent of the radius of a soft ball. No torque is more than friction can answer to. A
    /// deformable with a volume constraint has one of its own beside it, by its footprint and the restitution.
    /// Shapes without a surface of triangles, on no body. Default 0.
    float rolling_friction;
    /// Meshes: where the vertices are to start with, 3 floats each, in the collider's frame, so that an animated character
    /// is made in its pose and sweeps through nothing on its way from the mesh's. Copied; NULL: as in the mesh.
    const float *positions;
    /// Which yields in a pinch. A collider that a body carries moves with that, which yields last. Default PLI_YIELDS_AUTO.
    pli_yields yields;
} pli_collider_def;

/// Fills `size` bytes of a definition with its defaults; see pli_collider_def_default.
PLI_API void pli_collider_def_init(pli_collider_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_collider_def pli_collider_def_default(void)
{
    pli_collider_def def;
    pli_collider_def_init(&def, sizeof def);
    return def;
}
/// Errors: INVALID_ARGUMENT for values out of range, and a mesh that is missing or has no faces;
/// INVALID_MESH for a hull without volume; NOT_FOUND for a body that is gone; UNSUPPORTED for a plane on one.
PLI_API pli_status pli_collider_create(pli_world *world, const pli_collider_def *def, pli_collider *collider,
                                       pli_error *error);
PLI_API pli_status pli_collider_destroy(pli_world *world, pli_collider collider, pli_error *error);
/// Sets the pose at the end of the next step. The collider moves there at constant velocity, carries what touches it,
/// and then stays. Where surfaces would have to cross it stops, and continues as soon as it can, unless the cloth yields
/// (pli_collider_def.yields); pli_collider_pose says where it is.
PLI_API pli_status pli_collider_set_pose(pli_world *world, pli_collider collider, pli_transform pose, pli_error *error);
/// Sets the vertices of a mesh collider at the end of the next step (3 floats a vertex, in the collider's frame);
/// they move there at constant velocity and then stay: an animated character. Errors: INVALID_ARGUMENT unless `count`
/// is the mesh's vertex count and all values are finite; UNSUPPORTED for other shapes.
PLI_API pli_status pli_collider_set_vertices(pli_world *world, pli_collider collider, const float *positions,
                                             int32_t count, pli_error *error);
/// Writes vertex positions at `time` [s], packed. Return false to end the animation. Called on the thread that steps.
typedef bool (*pli_vertex_source)(void *user, double time, float *positions);
/// Asks `source` at the start of each step for the vertices at its end. Pass NULL to end the animation. The step
/// fails with INVALID_ARGUMENT, and changes nothing, when one of them is not finite.
PLI_API pli_status pli_collider_set_source(pli_world *world, pli_collider collider, pli_vertex_source source,
                                           void *user, pli_error *error);
/// Vertices of a mesh or hull now, in the collider's frame; empty for other shapes.
PLI_API pli_view pli_collider_vertices(const pli_world *world, pli_collider collider);
/// The faces that collide: of meshes, of hulls, and of what a body carries that is not round all over; null for others.
/// Borrowed.
PLI_API const pli_mesh *pli_collider_mesh(const pli_world *world, pli_collider collider);
/// Where it is in the world now: also of one that a body carries.
PLI_API pli_status pli_collider_pose(const pli_world *world, pli_collider collider, pli_transform *pose,
                                     pli_error *error);
/// The same with its position relative to pli_world_origin, which rounds less far out: where one is that has stopped there on its way,
/// its pose in the world is too coarse to tell.
PLI_API pli_status pli_collider_local_pose(const pli_world *world, pli_collider collider, pli_transform *pose,
                                           pli_error *error);
/// Writes the vertices of a collider with faces (pli_collider_mesh) where the last step left them, relative to pli_world_origin: 3 floats a
/// vertex [m], to the bit. A pose times a vertex, rounded in another order, differs from them by 1e-8 m or so, which is more than the gap
/// of two surfaces that are pressed together: what draws, writes or judges colliders takes these. Errors: NOT_FOUND; UNSUPPORTED
/// for a collider without faces; INVALID_ARGUMENT unless `count` is the number of its vertices.
PLI_API pli_status pli_collider_placed_vertices(const pli_world *world, pli_collider collider, float *positions,
                                                int32_t count, pli_error *error);
/// How far a collider was behind where it is led at the end of the last step, and what pressed on it.
typedef struct pli_collider_lag {
    int32_t count;   ///< 1 if it has stopped on its way as a whole; the vertices that have, of one that bends.
    double distance; ///< The largest distance of one of its points from where it is led [m].
    /// Force of deformables on it along the normals of their contacts, as of the end of the last substep [N]: their weight where they lie
    /// at rest, and what has to be overcome where it lags. Friction is not in it. 0 when pli_world_contacts is empty.
    double force[3];
    /// Intersections of deformables with it at the end of the last step: edges through triangles, and particles inside.
    int32_t intersection_count;
} pli_collider_lag;

/// Colliders lag where surfaces would have to pass through each other (docs/contact.md), and go on as soon as they can. One that a body
/// carries goes with it: it has a force, and its lag is the body's (pli_rigid_body_get_lag). Cost: one look at each contact. Errors: NOT_FOUND.
PLI_API pli_status pli_collider_get_lag_sized(const pli_world *world, pli_collider collider, pli_collider_lag *lag,
                                              size_t size, pli_error *error);
static inline pli_status pli_collider_get_lag(const pli_world *world, pli_collider collider, pli_collider_lag *lag,
                                              pli_error *error)
{
    return pli_collider_get_lag_sized(world, collider, lag, sizeof *lag, error);
}
/// The definition with the current pose; if a body carries it, in the frame of that body. Its `positions` is NULL; see
/// pli_collider_vertices.
PLI_API pli_status pli_collider_get_def_sized(const pli_world *world, pli_collider collider, pli_collider_def *def,
                                              size_t size, pli_error *error);
static inline pli_status pli_collider_get_def(const pli_world *world, pli_collider collider, pli_collider_def *def,
                                              pli_error *error)
{
    return pli_collider_get_def_sized(world, collider, def, sizeof *def, error);
}
/// Takes over a definition, such as pli_collider_get_def has given and you have changed, from the next step on: shape and
/// sizes, thickness, one-sidedness, friction of both kinds, restitution, layers and mask, user data; another mesh, with
/// `positions` or without. `body` must be the one it has. `pose` is not read: pli_collider_set_pose moves it,
/// pli_collider_teleport puts it elsewhere. Triangles are made anew where shape, sizes or mesh differ; else it costs
/// nothing worth naming. What grows into cloth is an intersection, which is then resolved as docs/contact.md says. Errors:
/// as pli_collider_create; nothing has changed then.
PLI_API pli_status pli_collider_set_def(pli_world *world, pli_collider collider, const pli_collider_def *def,
                                        pli_error *error);
/// The i-th collider in order of creation, among those that are left.
PLI_API pli_collider pli_world_collider_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_collider_count(const pli_world *world);

#ifdef __cplusplus
}
#endif
#endif
