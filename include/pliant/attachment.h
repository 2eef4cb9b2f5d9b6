/// Pliant, attachments: particles that follow a moving frame or a rigid body.
///
///     int32_t corners[] = {0, 19};
///     pli_attachment_def def = pli_attachment_def_default();
///     def.deformable = flag, def.particles = corners, def.particle_count = 2;
///     def.pose = hand;
///     pli_attachment grip;
///     if (pli_attachment_create(world, &def, &grip, &error) != PLI_STATUS_OK) ...
///     pli_attachment_set_pose(world, grip, next_hand, NULL);      // each frame, before the step
///     pli_attachment_destroy(world, grip, NULL);                  // lets go
#ifndef PLIANT_ATTACHMENT_H
#define PLIANT_ATTACHMENT_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The definition of an attachment: particles follow a moving frame with the initial pose `pose`. Each keeps its position in that frame.
typedef struct pli_attachment_def {
    pli_deformable deformable;
    const int32_t *particles; ///< Particle indices, each at most once. Copied.
    int32_t particle_count;   ///< Number of particles, >= 1.
    pli_transform pose;       ///< Pose of the frame in the world.
    /// true: a fixed attachment, whose particles follow the frame exactly (inverse mass 0; Mueller et al. 2006, section 3.6), except where
    /// they have to stay behind it (`stretch`, pli_attachment_get_tracking_error). false: a soft attachment, with compliance or stiffness.
    /// Default true.
    bool fixed;
    double compliance; ///< Compliance of soft attachments under XPBD [m/N], >= 0.
    double stiffness;  ///< Stiffness of soft attachments under PBD, 0..1.
    /// If set, attaches to this rigid body, which receives the impulses; `pose` and `fixed` are then not used.
    pli_rigid_body body;
    /// false: the attachment has no effect until pli_attachment_set_def enables it. Default true.
    bool enabled;
    /// Stretch limit of fixed attachments, >= 1. An attachment stops on its way to the target pose before an edge between an attached and a free
    /// particle becomes longer than this multiple of its rest length, or than its current length if that is larger. It continues from there
    /// (pli_attachment_get_tracking_error). The limit does not apply to cloth that may tear or has no constraints. Infinite: no limit. Default 2.
    float stretch;
} pli_attachment_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_attachment_def pli_attachment_def_default(void);
/// Creates an attachment. Errors: NOT_FOUND; INVALID_ARGUMENT for a particle that is out of range, given twice or already fixed by another
/// attachment; OUT_OF_MEMORY.
PLI_API pli_status pli_attachment_create(pli_world *world, const pli_attachment_def *def, pli_attachment *attachment,
                                         pli_error *error);
/// Destroys an attachment. Its particles are released and regain their masses.
PLI_API pli_status pli_attachment_destroy(pli_world *world, pli_attachment attachment, pli_error *error);
/// Sets the pose at the end of the next step. The frame moves there at constant velocity and then stays. Errors: NOT_FOUND; UNSUPPORTED for
/// an attachment to a body; INVALID_ARGUMENT unless the pose is finite with a unit rotation.
PLI_API pli_status pli_attachment_set_pose(pli_world *world, pli_attachment attachment, pli_transform pose,
                                           pli_error *error);

/// The offset of a fixed attachment from its targets, the positions that its frame prescribes, at the end of the last step.
typedef struct pli_attachment_tracking_error {
    int32_t count;   ///< Particles that are not at their targets.
    double distance; ///< Largest distance of a particle from its target [m].
    /// Force that would move the particles to their targets within one substep [N]: the sum of mass times distance over the squared length
    /// of the substep.
    double force;
} pli_attachment_tracking_error;

/// Reports how far a fixed attachment is behind its frame. Its particles stay behind where an edge would be stretched beyond `stretch`, and
/// where surfaces would have to pass through each other. They continue as soon as they can. All values are 0 for soft attachments and for
/// attachments to bodies. Errors: NOT_FOUND.
PLI_API pli_status pli_attachment_get_tracking_error(const pli_world *world, pli_attachment attachment,
                                                     pli_attachment_tracking_error *tracking, pli_error *error);

/// The i-th existing attachment in order of creation; the null handle when out of range.
PLI_API pli_attachment pli_world_attachment_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_attachment_count(const pli_world *world);
/// Copies the indices of the attached particles, at most `capacity`. *count receives their total number, including copies made by tears.
/// `particles` may be NULL when `capacity` is 0.
PLI_API pli_status pli_attachment_particles(const pli_world *world, pli_attachment attachment, int32_t *particles,
                                            int32_t capacity, int32_t *count, pli_error *error);
/// The current definition: the one given at creation with all later changes. Its `particles` is NULL; see pli_attachment_particles.
PLI_API pli_status pli_attachment_get_def(const pli_world *world, pli_attachment attachment, pli_attachment_def *def,
                                          pli_error *error);
/// Replaces the definition from the next step on. It can change `compliance` and `stiffness`, `fixed`, `enabled` and `particles`. New particles
/// keep their positions in the frame at `pose`. If `particles` is null, the attachment keeps its particles, and `pose` is not
/// read. If the call enables it again, its particles keep the positions that they then have in the frame, so that nothing jumps.
/// `deformable` and `body` must be the current ones. The call costs as much as the creation of an attachment with this number of particles,
/// and nothing if only `compliance` and `stiffness` change. Snapshots taken before the call can still be read. Errors: as
/// pli_attachment_create; on an error nothing changes.
PLI_API pli_status pli_attachment_set_def(pli_world *world, pli_attachment attachment, const pli_attachment_def *def,
                                          pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
