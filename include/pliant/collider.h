/// Pliant, colliders: static or animated shapes and meshes that deformables do not enter.
///
///     pli_collider_def def = pli_collider_def_default();
///     def.shape = PLI_SHAPE_CAPSULE, def.radius = 0.1f, def.half_height = 0.3f;
///     pli_collider arm;
///     if (pli_collider_create(world, &def, &arm, &error) != PLI_STATUS_OK) ...
///     pli_collider_set_pose(world, arm, pose, NULL);     // each frame, before the step
///     pli_collider_destroy(world, arm, NULL);
///
/// A capsule in its own frame, with y up. Its segment has the length 2 * half_height:
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

/// Selects the side that yields where a collider that the application moves would have to pass through cloth that cannot move away.
typedef enum pli_yields {
    /// The cloth yields if the vertices of the collider are animated, as for a character; otherwise the collider yields, as for a press.
    PLI_YIELDS_AUTO = 0,
    /// The collider yields: it stops, and continues as soon as it can. Surfaces never cross. The collider may lag behind its animation.
    PLI_YIELDS_COLLIDER,
    /// The cloth yields: the collider reaches its pose or vertices exactly in each step. Cloth that cannot be kept out enters it. Such
    /// intersections are counted (pli_statistics, pli_collider_tracking_error) and resolved as soon as there is room.
    PLI_YIELDS_CLOTH,
    PLI_YIELDS_COUNT
} pli_yields;

/// The definition of a collider. Sizes that the shape does not use are ignored.
typedef struct pli_collider_def {
    pli_shape shape;       ///< pliant/shape.h describes each shape and the sizes that it uses.
    float radius;          ///< [m], > 0.
    float half_height;     ///< [m], >= 0.
    pli_vec3 half_extents; ///< [m], > 0.
    /// The mesh that has the vertices of a hull or the triangles of a mesh collider; the world keeps a reference. Closed triangles with a
    /// consistent outward orientation are a solid: particles inside are pushed out. With a consistent inward orientation they are a
    /// container. Any other mesh (holes, inconsistent faces, vertices doubled along seams) is a two-sided sheet without an inside.
    /// Faces without area collide as edges.
    const pli_mesh *mesh;
    /// Mesh colliders: each face collides on its front only. Faces without area collide from all sides. Default false.
    bool one_sided;
    float thickness;    ///< Distance kept in addition to the thickness of deformables [m], >= 0. Default 0.
    pli_transform pose; ///< Pose in the world, or in the frame of `body`.
    float friction;     ///< Coulomb coefficient, >= 0. Default 0.3.
    float restitution;  ///< Coefficient of restitution, 0..1. Default 0.
    uint32_t layers;    ///< Bits of the layers that the collider is in. Default 1.
    uint32_t mask;      ///< Layers that the collider collides with; both sides must agree. Default all.
    /// Rigid body that carries the collider and receives the impulses of its contacts; null for none. Not for planes.
    pli_rigid_body body;
    uint64_t user_data; ///< For the caller's contact lists and filters. Default 0.
    float top_radius;   ///< Tapered capsules: radius of the end at +y [m], > 0. Default 0.25.
    /// Coefficient of rolling friction as a lever arm [m], >= 0: the ratio of the torque that resists the rolling of a free deformable, such
    /// as a balloon, to the normal force. A few percent of the radius is usual for a soft ball. Sliding friction limits the torque. A
    /// deformable with a volume constraint has additional rolling resistance, which depends on its footprint and on the restitution. Only for
    /// analytic shapes (all except hulls and meshes) that no rigid body carries. Default 0.
    float rolling_friction;
    /// Mesh colliders: initial vertex positions [m], 3 floats each, in the collider's frame. An animated character is then created in its pose
    /// and does not sweep through the scene from the pose of the mesh. Copied. NULL: the positions of the mesh.
    const float *positions;
    /// The side that yields in a pinch. A collider that a body carries moves with the body, which yields last. Default PLI_YIELDS_AUTO.
    pli_yields yields;
} pli_collider_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_collider_def pli_collider_def_default(void);
/// Creates a collider. Errors: INVALID_ARGUMENT for values out of range, and for a mesh that is missing or has no faces; INVALID_MESH for
/// a hull without volume; NOT_FOUND for a body that does not exist; UNSUPPORTED for a plane on a body; OUT_OF_MEMORY.
PLI_API pli_status pli_collider_create(pli_world *world, const pli_collider_def *def, pli_collider *collider,
                                       pli_error *error);
PLI_API pli_status pli_collider_destroy(pli_world *world, pli_collider collider, pli_error *error);
/// Sets the pose at the end of the next step. The collider moves there at constant velocity, carries the deformables that touch it, and then
/// stays. Where surfaces would have to cross, the collider stops, and continues as soon as it can, unless the cloth yields
/// (pli_collider_def.yields). pli_collider_pose returns the pose that it has reached.
PLI_API pli_status pli_collider_set_pose(pli_world *world, pli_collider collider, pli_transform pose, pli_error *error);
/// Sets the vertices of a mesh collider, such as an animated character, at the end of the next step: 3 floats per vertex [m], in the
/// collider's frame. They move there at constant velocity and then stay. Errors: INVALID_ARGUMENT unless `count` is the vertex count of the
/// mesh and all values are finite; UNSUPPORTED for other shapes.
PLI_API pli_status pli_collider_set_vertices(pli_world *world, pli_collider collider, const float *positions,
                                             int32_t count, pli_error *error);
/// Writes the vertex positions at `time` [s], 3 floats per vertex, packed. Return false to end the animation. Called on the thread that steps.
typedef bool (*pli_vertex_source)(void *user, double time, float *positions);
/// Sets the source that each step calls at its start for the vertices at its end. Pass NULL to end the animation. If a position is not
/// finite, the step fails with INVALID_ARGUMENT and changes nothing. Errors: UNSUPPORTED for shapes other than meshes.
PLI_API pli_status pli_collider_set_source(pli_world *world, pli_collider collider, pli_vertex_source source,
                                           void *user, pli_error *error);
/// The current vertices of a mesh or hull, in the collider's frame; empty for other shapes.
PLI_API pli_view pli_collider_vertices(const pli_world *world, pli_collider collider);
/// The colliding faces of a mesh, of a hull, or of another shape that collides as a surface: one that a body carries, or one that is narrower
/// than the triangles of a deformable. Null for other colliders, and for spheres and capsules. Borrowed.
PLI_API const pli_mesh *pli_collider_mesh(const pli_world *world, pli_collider collider);
/// The current pose in the world, also of a collider that a body carries.
PLI_API pli_status pli_collider_pose(const pli_world *world, pli_collider collider, pli_transform *pose,
                                     pli_error *error);
/// The current pose with its position relative to pli_world_get_origin. Far from the origin this rounds less: there the pose in the world is too
/// coarse to say where a collider has stopped before its target.
PLI_API pli_status pli_collider_get_local_pose(const pli_world *world, pli_collider collider, pli_transform *pose,
                                               pli_error *error);
/// Writes the vertices of a collider with faces (pli_collider_mesh) as the last step left them: 3 floats per vertex [m], relative to
/// pli_world_get_origin and bit-identical to the vertices that the step used. The product of a pose and a vertex is rounded in another order and differs
/// by about 1e-8 m. This is more than the gap between two surfaces that are pressed together, so code that draws, writes or checks colliders
/// must use these vertices. Errors: NOT_FOUND; UNSUPPORTED for a collider without faces; INVALID_ARGUMENT unless `count` is the number of
/// its vertices.
PLI_API pli_status pli_collider_get_placed_vertices(const pli_world *world, pli_collider collider, float *positions,
                                                    int32_t count, pli_error *error);
/// The distance of a collider from its target at the end of the last step, and the contact force on it.
typedef struct pli_collider_tracking_error {
    int32_t
        count; ///< 1 if the collider stopped as a whole; with animated vertices, the number of vertices that stopped.
    double distance; ///< The largest distance of one of its points from the target of the point [m].
    /// Force of deformables on the collider along the contact normals at the end of the last substep [N], without friction. It is the weight
    /// of deformables that rest on the collider, and the resistance to overcome where it is behind its target. 0 when
    /// pli_world_contacts is empty.
    double force[3];
    /// Intersections of deformables with the collider at the end of the last step: edges through triangles, and particles inside.
    int32_t intersection_count;
} pli_collider_tracking_error;

/// Reports how far a collider is behind its target. It stops where surfaces would have to pass through each other (docs/contact.md), and
/// continues as soon as it can. A collider that a body carries moves with the body: it reports a force, and pli_rigid_body_get_tracking_error has its
/// offset. Cost: one pass over the contacts. Errors: NOT_FOUND.
PLI_API pli_status pli_collider_get_tracking_error(const pli_world *world, pli_collider collider,
                                                   pli_collider_tracking_error *tracking, pli_error *error);
/// The definition with the current pose, in the frame of the body if one carries the collider. Its `positions` is NULL; see
/// pli_collider_vertices.
PLI_API pli_status pli_collider_get_def(const pli_world *world, pli_collider collider, pli_collider_def *def,
                                        pli_error *error);
/// Replaces the definition from the next step on, usually with a changed result of pli_collider_get_def. It can change the shape and its
/// sizes, thickness, one-sidedness, sliding and rolling friction, restitution, layers and mask, user data, and the mesh, with or without
/// `positions`. `body` must be the current one. `pose` is ignored: pli_collider_set_pose moves the collider, and pli_collider_teleport
/// places it elsewhere. Triangles are rebuilt if shape, sizes or mesh differ; other changes cost next to nothing. If the new shape reaches
/// into cloth, this is an intersection, which is resolved as docs/contact.md describes. Errors: as pli_collider_create; on an error
/// nothing changes.
PLI_API pli_status pli_collider_set_def(pli_world *world, pli_collider collider, const pli_collider_def *def,
                                        pli_error *error);
/// The i-th existing collider in order of creation; the null handle when out of range.
PLI_API pli_collider pli_world_collider_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_collider_count(const pli_world *world);

#ifdef __cplusplus
}
#endif
#endif
