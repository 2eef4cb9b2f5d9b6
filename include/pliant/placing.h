/// Pliant, placing: teleports, without a motion between, and resets.
///
///     pli_teleport_def jump = pli_teleport_def_default();
///     jump.from = root, jump.to = checkpoint;               // what was at the one frame will be at the other
///     jump.deformables = &cape, jump.deformable_count = 1;
///     jump.colliders = limbs, jump.collider_count = 6;
///     pli_world_teleport(world, &jump, &error);
///
///     pli_deformable_reset(world, cape, NULL, &error);      // as it was made
///
/// pli_collider_set_pose, pli_attachment_set_pose and their like are motions: what moves sweeps through everything
/// between, carries what it touches and pulls what it holds. Objects placed here are there at once. Nothing between is
/// touched, no velocity comes of it, and the next step searches for intersections at the new place.
#ifndef PLIANT_PLACING_H
#define PLIANT_PLACING_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The objects that are teleported, and where to.
typedef struct pli_teleport_def {
    uint32_t size;      ///< Bytes of this struct; set by the default function.
    uint32_t cookie;    ///< Set by the default function.
    pli_transform from; ///< A frame in the world, such as a character's root before. Default identity.
    pli_transform to;   ///< Where that frame goes, and with it all that is teleported. Default identity.
    /// Velocities are turned with the rest, so that motion goes on in the new place. False drops them: all is at rest
    /// there. Default true.
    bool keep_velocities;
    bool everything; ///< All objects of the world go; the lists below are not read. Default false.
    /// Deformables that go. Their attachments to frames go with them.
    const pli_deformable *deformables;
    int32_t deformable_count;
    const pli_collider *colliders; ///< Colliders that go. Those of rigid bodies go with their bodies.
    int32_t collider_count;
    const pli_rigid_body *rigid_bodies; ///< Rigid bodies that go, with their colliders.
    int32_t rigid_body_count;
} pli_teleport_def;

/// Fills `size` bytes of a definition with its defaults; see pli_teleport_def_default.
PLI_API void pli_teleport_def_init(pli_teleport_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_teleport_def pli_teleport_def_default(void)
{
    pli_teleport_def def;
    pli_teleport_def_init(&def, sizeof def);
    return def;
}
/// Moves everything named from one frame to another, at once. Shapes, tears, states of constraints and parameters stay
/// as they are, and so do targets that poses given for the next step stand for: they move along. Contacts are forgotten.
/// With PLI_ORIGIN_AUTO the world's origin goes where the next step would take it, so that a teleport over any distance
/// rounds positions only as being there does. Cost: one pass over the particles that go. Errors: INVALID_ARGUMENT for a
/// frame that is not finite or without a unit rotation, a collider that a rigid body carries, and within a step;
/// NOT_FOUND; OUT_OF_MEMORY. Nothing has moved then.
PLI_API pli_status pli_world_teleport(pli_world *world, const pli_teleport_def *def, pli_error *error);

/// Puts a collider at a pose at once: pli_collider_set_pose without the motion. Errors: as there.
PLI_API pli_status pli_collider_teleport(pli_world *world, pli_collider collider, pli_transform pose, pli_error *error);
/// Puts the vertices of a mesh collider in their places at once: pli_collider_set_vertices without the motion. Errors: as
/// there.
PLI_API pli_status pli_collider_teleport_vertices(pli_world *world, pli_collider collider, const float *positions,
                                                  int32_t count, pli_error *error);
/// Puts the frame of an attachment at a pose at once; the particles that it fixes go with it, others follow. Errors: as
/// pli_attachment_set_pose.
PLI_API pli_status pli_attachment_teleport(pli_world *world, pli_attachment attachment, pli_transform pose,
                                           pli_error *error);

/// Puts a deformable back to its rest shape at a pose, with the velocity of its definition; with NULL at the pose of its
/// definition, which teleports take along. Forces to come, contacts and states of constraints (the side that a bend is
/// on) are forgotten. Tears, masses and parameters stay, and particles that attachments fix stay where these hold them, so
/// that frames go first. What was made without `positions` in its definition, and has not torn since, goes on to the bits
/// of one just made, as long as the world's origin is where it was. Errors: NOT_FOUND; INVALID_ARGUMENT for a pose that is
/// not finite or without a unit rotation.
PLI_API pli_status pli_deformable_reset(pli_world *world, pli_deformable deformable, const pli_transform *pose,
                                        pli_error *error);
/// The same to `count` positions (3 floats for each vertex that it has now, in the world), at rest. Errors: NOT_FOUND;
/// INVALID_ARGUMENT for another count, or a position that is not finite.
PLI_API pli_status pli_deformable_reset_to(pli_world *world, pli_deformable deformable, const float *positions,
                                           int32_t count, pli_error *error);

/// The result of pli_world_settle.
typedef struct pli_settled {
    bool settled;          ///< Nothing was faster than asked for at the end.
    int32_t steps;         ///< Steps that were made.
    double speed;          ///< Speed of the fastest particle in the last of them [m/s].
    double kinetic_energy; ///< The largest in the last ten of them, or in all where there were fewer [J].
} pli_settled;

/// Brings a world to rest: steps of `dt` seconds with kinetic damping (Day 1965; Barnes 1999), in which all velocities of deformables are set to 0
/// wherever the kinetic energy has passed a peak, until no particle has been faster than `speed` [m/s] for ten steps, but `most_steps` at
/// most. What moves by animation stays where it is; bodies of a host take part as in any step. Contacts keep their guarantee. At the end
/// velocities are 0, and time and step count are those of before, so that the state may be a first frame. Deterministic. Steps of a world that
/// creeps may settle it too early for a large `speed`; 0.001 to 0.01 suits cloth. `settled` may be null. Errors: INVALID_ARGUMENT for a dt or speed that is
/// not above 0, or most_steps below 1; as pli_world_step, CANCELLED among them, with the state after the last whole step.
PLI_API pli_status pli_world_settle_sized(pli_world *world, float dt, float speed, int32_t most_steps,
                                          pli_settled *settled, size_t size, pli_error *error);
static inline pli_status pli_world_settle(pli_world *world, float dt, float speed, int32_t most_steps,
                                          pli_settled *settled, pli_error *error)
{
    return pli_world_settle_sized(world, dt, speed, most_steps, settled, settled ? sizeof *settled : 0, error);
}

#ifdef __cplusplus
}
#endif
#endif
