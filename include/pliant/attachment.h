/// Pliant, attachments: particles that follow a moving frame or a rigid body.
#ifndef PLIANT_ATTACHMENT_H
#define PLIANT_ATTACHMENT_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Ties particles to a moving frame, which starts at `pose`; each keeps its place in it.
typedef struct pli_attachment_def {
    uint32_t size;   ///< Set by the default function: bytes of this struct as the caller knows it.
    uint32_t cookie; ///< Set by the default function.
    pli_deformable deformable;
    const int32_t *particles; ///< Each at most once. Copied.
    int32_t particle_count;   ///< >= 1
    pli_transform pose;
    bool fixed;          ///< Exactly: inverse mass 0 (Mueller 2006, 3.6). Default true.
    double compliance;   ///< Otherwise: [m/N], >= 0, under XPBD,
    double stiffness;    ///< 0..1, under PBD.
    pli_rigid_body body; ///< Ties to this body instead, which feels it; `pose` and `fixed` are then not used.
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
/// Errors: INVALID_ARGUMENT for a particle out of range, given twice or held by another attachment.
PLI_API pli_status pli_attachment_create(pli_world *world, const pli_attachment_def *def, pli_attachment *attachment,
                                         pli_error *error);
/// Lets the particles go; their mass returns.
PLI_API pli_status pli_attachment_destroy(pli_world *world, pli_attachment attachment, pli_error *error);
/// The frame moves evenly from where it is to `pose` during the next step, and rests after it.
PLI_API pli_status pli_attachment_set_pose(pli_world *world, pli_attachment attachment, pli_transform pose,
                                           pli_error *error);

/// The i-th attachment in order of creation, among those that are left.
PLI_API pli_attachment pli_world_attachment_at(const pli_world *world, int32_t i);
PLI_API int32_t pli_world_attachment_count(const pli_world *world);
/// Copies the attached particles, at most `capacity`; *count receives how many there are, copies made by tears
/// included. `particles` may be NULL when capacity is 0.
PLI_API pli_status pli_attachment_particles(const pli_world *world, pli_attachment attachment, int32_t *particles,
                                            int32_t capacity, int32_t *count, pli_error *error);
/// The definition as it stands; see the comments there. Pointers are borrowed from the world.
PLI_API pli_status pli_attachment_get_def_sized(const pli_world *world, pli_attachment attachment,
                                                pli_attachment_def *def, size_t size, pli_error *error);
static inline pli_status pli_attachment_get_def(const pli_world *world, pli_attachment attachment,
                                                pli_attachment_def *def, pli_error *error)
{
    return pli_attachment_get_def_sized(world, attachment, def, sizeof *def, error);
}

#ifdef __cplusplus
}
#endif
#endif
