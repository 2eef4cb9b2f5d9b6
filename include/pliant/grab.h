/// Pliant, grab: a soft hand on a deformable, limited in force, for a mouse, a finger or a game's claw.
///
///     pli_ray_hit hit;
///     pli_grab grab;
///     pli_grab_def def = pli_grab_def_default();
///     if (pli_world_ray(world, eye, direction, 100.0f, UINT32_MAX, &hit)) {
///         def.deformable = hit.deformable, def.vertex = hit.vertices[0];
///         pli_grab_begin(world, &def, &grab, &error);
///     }
///     pli_grab_update(world, &grab, hand, dt, true, &error);   // before each step while it holds
///     pli_grab_update(world, &grab, hand, dt, false, &error);  // and then until grab.attachment.id is 0
///
/// A single held vertex stretches cloth without bound and lets it shoot off. This hand takes a piece of the surface, by a soft
/// attachment whose frame stays within a reach of it, so that its force grows to a limit and stays there however far the hand
/// goes:
///
///     force  ^        ________  limit
///            |      /
///            |    /
///            |__/______________> distance of the hand from the middle of what it holds
///                reach
#ifndef PLIANT_GRAB_H
#define PLIANT_GRAB_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Where and how to take hold.
typedef struct pli_grab_def {
    uint32_t size;   ///< Bytes of this struct; set by the default function.
    uint32_t cookie; ///< Set by the default function.
    pli_deformable deformable;
    int32_t vertex; ///< The middle of what is taken.
    float radius; ///< How far it reaches along edges at rest [m], >= 0. Default 0: 4 % of the size, 2.5 edges at least.
    float strength; ///< Limit of the force over 1.5 times the weight under 9.81 m/s2, > 0. Default 1.
    float reach;    ///< Distance at which the limit is reached [m], >= 0. Default 0: 6 % of the size.
    int32_t ramp;   ///< Steps in which the force comes and goes, >= 1. Default 6.
} pli_grab_def;

/// Fills `size` bytes of a definition with its defaults; see pli_grab_def_default.
PLI_API void pli_grab_def_init(pli_grab_def *def, size_t size);
/// A definition with all its defaults, to be changed field by field.
static inline pli_grab_def pli_grab_def_default(void)
{
    pli_grab_def def;
    pli_grab_def_init(&def, sizeof def);
    return def;
}

/// A hand that holds. It belongs to the caller, who may copy it, with a snapshot for example; there is nothing to free.
typedef struct pli_grab {
    pli_attachment attachment; ///< The hold; null once it has let go.
    pli_deformable deformable;
    int32_t particle_count; ///< Particles that it holds.
    float limit;            ///< Most force [N].
    float reach;            ///< [m]
    float share;            ///< Share of the limit that it has now, 0..1.
    float ramp;             ///< Change of the share in a step.
    pli_vec3 force;         ///< Force of the next step at its start [N], for a display.
    uint32_t reserved[4];   ///< Zero.
} pli_grab;

/// Takes hold of the particles around a vertex that can move, where they are. The size is the diagonal of the rest box of the
/// connected piece that they are of, the weight that of this piece. Errors: NOT_FOUND; INVALID_ARGUMENT for a value out of
/// range, and when none of the particles can move; OUT_OF_MEMORY.
PLI_API pli_status pli_grab_begin(pli_world *world, const pli_grab_def *def, pli_grab *grab, pli_error *error);
/// Before each step of `dt` [s]: leads the hand to `target` [m]. With `holds` false it lets go, within its ramp, and is then gone: its
/// attachment is null, and further calls do nothing. Errors: NOT_FOUND when the deformable or the attachment was destroyed;
/// INVALID_ARGUMENT for a target that is not finite, or a step that is not positive.
PLI_API pli_status pli_grab_update(pli_world *world, pli_grab *grab, pli_vec3 target, float dt, bool holds,
                                   pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
