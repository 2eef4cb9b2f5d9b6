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

/// Attaches particles to a moving frame with initial pose `pose`; each keeps its position in that frame.
typedef struct pli_attachment_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    pli_deformable deformable;
    const int32_t *particles; ///< Each at most once. Copied.
    int32_t particle_count;   ///< >= 1
    pli_transform pose;
    /// true: particles follow the frame exactly (inverse mass 0; Mueller et al. 2006, section 3.6), but where they
    /// have to lag (`stretch`, pli_attachment_get_lag). false:
    /// softly, by compliance or stiffness. Default true.
    bool fixed;
    double compliance; ///< Compliance of soft attachments under XPBD [m/N], >= 0.
    double stiffness;  ///< Stiffness of soft attachments under PBD, 0..1.
    /// Attaches to this body instead, which receives the impulses; `pose` and `fixed` are then not used.
    pli_rigid_body body;
    /// false: it holds nothing, until pli_attachment_set_def switches it on. Default true.
    bool enabled;
    /// A fixed attachment goes towards where its frame is only as far as no edge between a particle that it holds and one that is
    /// free gets longer than this multiple of its rest length, or than it is; it goes on from there (pli_attachment_get_lag). Not
    /// for cloth that may tear or has no constraints. >= 1; infinite: it goes whatever it stretches. Default 2.
    float stretch;
} pli_attachment_def;

/// Fills `size` bytes of a definition with its defaults; see pli_attachment_def_default.
PLI_API void pli_attachment_def_init(pli_attachment_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_attachment_def pli_attachment_def_default(void)
{
    pli_attachment_def def;
    pli_attachment_def_init(&def, sizeof def);
    return def;
}
/// Errors: INVALID_ARGUMENT for a particle out of range, given twice or fixed by another attachment.
PLI_API pli_status pli_attachment_create(pli_world *world, const pli_attachment_def *def, pli_attachment *attachment,
                                         pli_error *error);
/// Releases the particles; their masses return.
PLI_API pli_status pli_attachment_destroy(pli_world *world, pli_attachment attachment, pli_error *error);
/// Sets the pose at the end of the next step. The frame moves there at constant velocity and then stays.
PLI_API pli_status pli_attachment_set_pose(pli_world *world, pli_attachment attachment, pli_transform pose,
                                           pli_error *error);

/// How far a fixed attachment was behind its frame at the end of the last step.
typedef struct pli_attachment_lag {
    int32_t count;   ///< Particles that were not where their frame has them.
    double distance; ///< The largest distance between them [m].
    double
        force; ///< Force that would bring them there within one substep: the sum of mass times distance over its square [N].
} pli_attachment_lag;

/// Attachments lag where an edge would be stretched beyond `stretch`, and where surfaces would have to pass through each other: then
/// what is held yields, and goes on as soon as it can. All 0 for soft ones and those to bodies.
PLI_API pli_status pli_attachment_get_lag_sized(const pli_world *world, pli_attachment attachment,
                                                pli_attachment_lag *lag, size_t size, pli_error *error);
static inline pli_status pli_attachment_get_lag(const pli_world *world, pli_attachment attachment,
                                                pli_attachment_lag *lag, pli_error *error)
{
    return pli_attachment_get_lag_sized(world, attachment, lag, sizeof *lag, error);
}

/// The i-th attachment in order of creation, among those that are left.
PLI_API pli_attachment pli_world_attachment_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_attachment_count(const pli_world *world);
/// Copies the attached particles, at most `capacity`; *count receives how many there are, copies made by tears
/// included. `particles` may be NULL when capacity is 0.
PLI_API pli_status pli_attachment_particles(const pli_world *world, pli_attachment attachment, int32_t *particles,
                                            int32_t capacity, int32_t *count, pli_error *error);
/// The definition as it stands: what it was created with and what was set since. Its `particles` is NULL; see
/// pli_attachment_particles.
PLI_API pli_status pli_attachment_get_def_sized(const pli_world *world, pli_attachment attachment,
                                                pli_attachment_def *def, size_t size, pli_error *error);
static inline pli_status pli_attachment_get_def(const pli_world *world, pli_attachment attachment,
                                                pli_attachment_def *def, pli_error *error)
{
    return pli_attachment_get_def_sized(world, attachment, def, sizeof *def, error);
}
/// Takes over a definition while the attachment lives, from the next step on: softer or stiffer by `compliance` and
/// `stiffness`, exact or soft by `fixed`, on or off by `enabled`, and with `particles` other ones, which keep their places in
/// the frame as it is at `pose`. Without `particles` (null) it keeps those that it has, and `pose` is not read; those keep the
/// places in the frame that they have when it is switched on again, so that nothing jumps. `deformable` and `body` must be
/// those that it has. Costs as much as making an attachment of as many particles, or nothing where only compliance and
/// stiffness change. Snapshots from before can be read. Errors: as pli_attachment_create; nothing has changed then.
PLI_API pli_status pli_attachment_set_def(pli_world *world, pli_attachment attachment, const pli_attachment_def *def,
                                          pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
