/// Pliant, placing: teleports, resets, and settling, which brings a world to rest.
///
///     pli_teleport_def jump = pli_teleport_def_default();
///     jump.from = root, jump.to = checkpoint;               // objects keep their place relative to the frame
///     jump.deformables = &cape, jump.deformable_count = 1;
///     jump.colliders = limbs, jump.collider_count = 6;
///     pli_world_teleport(world, &jump, &error);
///
///     pli_deformable_reset(world, cape, NULL, &error);      // as it was created
///
/// pli_collider_set_pose, pli_attachment_set_pose and similar functions define motions: the object sweeps along its
/// trajectory, carries the deformables that it touches and pulls the particles that are attached to it. The functions of this
/// header place objects immediately. A placed object touches nothing between its old and its new place and gets no velocity
/// from the change, and the next step searches for intersections at the new place.
#ifndef PLIANT_PLACING_H
#define PLIANT_PLACING_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The objects to teleport, and their destination.
typedef struct pli_teleport_def {
    pli_transform from; ///< A frame in the world, such as the previous root of a character. Default identity.
    pli_transform to;   ///< The new pose of that frame; all teleported objects move with the frame. Default identity.
    /// true: velocities rotate with the objects, which continue to move at the new place. false: velocities become 0.
    /// Default true.
    bool keep_velocities;
    bool everything; ///< Teleports all objects of the world; the lists below are not read. Default false.
    /// Deformables to teleport, together with their attachments to frames.
    const pli_deformable *deformables;
    int32_t deformable_count;
    const pli_collider *colliders; ///< Colliders to teleport. A collider on a rigid body moves with the body.
    int32_t collider_count;
    const pli_rigid_body *rigid_bodies; ///< Rigid bodies to teleport, together with their colliders.
    int32_t rigid_body_count;
} pli_teleport_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_teleport_def pli_teleport_def_default(void);
/// Moves objects from one frame to another immediately. Shapes, tears, states of constraints and parameters stay the same.
/// Poses that were set for the next step move with their objects. Contacts are discarded. With PLI_ORIGIN_AUTO, the origin of
/// the world moves to where the next step would put it. A teleport over any distance therefore rounds positions no more than
/// the new place itself requires. Cost: one pass over the teleported particles. Errors: INVALID_ARGUMENT for a frame that is
/// not finite or has no unit rotation, for a collider that a rigid body carries, and during a step; NOT_FOUND;
/// OUT_OF_MEMORY. On an error nothing moves.
PLI_API pli_status pli_world_teleport(pli_world *world, const pli_teleport_def *def, pli_error *error);

/// Places a collider at a pose immediately: pli_collider_set_pose without the motion. Errors: as pli_collider_set_pose.
PLI_API pli_status pli_collider_teleport(pli_world *world, pli_collider collider, pli_transform pose, pli_error *error);
/// Places the vertices of a mesh collider immediately: pli_collider_set_vertices without the motion. Errors: as
/// pli_collider_set_vertices.
PLI_API pli_status pli_collider_teleport_vertices(pli_world *world, pli_collider collider, const float *positions,
                                                  int32_t count, pli_error *error);
/// Places the frame of an attachment at a pose immediately. Fixed particles move with the frame; softly attached particles
/// follow during the next steps. Errors: as pli_attachment_set_pose.
PLI_API pli_status pli_attachment_teleport(pli_world *world, pli_attachment attachment, pli_transform pose,
                                           pli_error *error);

/// Resets a deformable to its rest shape at a pose, with the velocity of its definition. NULL: the pose of its definition,
/// which a teleport changes too. Forces for the next step, contacts, plastic bending and states of constraints (the branch of
/// a signed type) are discarded. Tears, masses and parameters stay. Particles that attachments fix stay where they are, so
/// move the frames first. If the definition has no `positions` and the deformable has not torn, it then behaves
/// bit-identically to one that was just created, provided that the origin of the world has not moved. Errors: NOT_FOUND;
/// INVALID_ARGUMENT for a pose that is not finite or has no unit rotation, and during a step.
PLI_API pli_status pli_deformable_reset(pli_world *world, pli_deformable deformable, const pli_transform *pose,
                                        pli_error *error);
/// As pli_deformable_reset, but to `count` given positions in the world [m], 3 floats for each current vertex, at rest.
/// Errors: NOT_FOUND; INVALID_ARGUMENT for another count, a position that is not finite, and during a step.
PLI_API pli_status pli_deformable_reset_to(pli_world *world, pli_deformable deformable, const float *positions,
                                           int32_t count, pli_error *error);

/// The result of pli_world_settle.
typedef struct pli_settled {
    bool settled;          ///< All particles were slower than `speed` for the last ten steps.
    int32_t steps;         ///< Number of steps.
    double speed;          ///< Speed of the fastest particle in the last step [m/s].
    double kinetic_energy; ///< Largest kinetic energy in the last ten steps, or in all steps if there were fewer [J].
} pli_settled;

/// Brings a world to rest with kinetic damping (Day 1965; Barnes 1999): it makes steps of `dt` [s] and sets all velocities of
/// deformables to 0 each time the kinetic energy has passed a peak. It ends when all particles have been slower than `speed`
/// [m/s] for ten steps, and after `max_steps` steps at the latest. Animated objects stay where they are. Rigid bodies of the
/// application take part as in any step. The non-penetration guarantee holds. At the end the velocities of deformables are 0,
/// and time and step count have their previous values, so the state can serve as the first frame. The result is
/// deterministic. With a large `speed`, a world that creeps may count as settled too early; 0.001 to 0.01 suits cloth.
/// `settled` may be null. Errors: INVALID_ARGUMENT for `dt` or `speed` <= 0 or not finite, or `max_steps` < 1; as
/// pli_world_step, including CANCELLED, with the state after the last complete step.
PLI_API pli_status pli_world_settle(pli_world *world, float dt, float speed, int32_t max_steps, pli_settled *settled,
                                    pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
