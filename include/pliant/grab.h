/// Pliant, grab: pulls a deformable softly and with limited force, for a mouse, a finger or a claw in a game.
///
///     pli_ray_hit hit;
///     pli_grab grab;
///     pli_grab_def def = pli_grab_def_default();
///     if (pli_world_ray(world, eye, direction, 100.0f, UINT32_MAX, &hit)) {
///         def.deformable = hit.deformable, def.vertex = hit.vertices[0];
///         pli_grab_begin(world, &def, &grab, &error);
///     }
///     pli_grab_update(world, &grab, hand, dt, true, &error);   // before each step while the user drags
///     pli_grab_update(world, &grab, hand, dt, false, &error);  // then, until grab.attachment.id is 0
///
/// If the user drags a single pinned vertex, cloth stretches without bound and accelerates violently on release. A grab
/// instead holds a patch of the surface by a soft attachment. The frame of the attachment stays within the distance `reach`
/// of the patch, so the force grows up to a limit and then stays constant, however far the target moves:
///
///     force  ^        ________  limit
///            |      /
///            |    /
///            |__/______________> distance of the target from the centre of the patch
///                reach
#ifndef PLIANT_GRAB_H
#define PLIANT_GRAB_H

#include "handles.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The definition of a grab.
typedef struct pli_grab_def {
    pli_deformable deformable;
    int32_t vertex; ///< Centre of the patch.
    /// Radius of the patch along edges at rest [m], >= 0. Default 0: 4 % of the size, but at least 2.5 mean edge lengths.
    float radius;
    float strength; ///< Force limit as a multiple of 1.5 times the weight at 9.81 m/s2, > 0. Default 1.
    float reach;    ///< Distance at which the force reaches the limit [m], >= 0. Default 0: 6 % of the size.
    int32_t ramp;   ///< Number of steps in which the force builds up and fades, >= 1. Default 6.
} pli_grab_def;

/// A definition with all its defaults, to be changed field by field.
PLI_API pli_grab_def pli_grab_def_default(void);

/// A grab. It belongs to the caller, who may copy it, for example together with a snapshot. There is nothing to free.
typedef struct pli_grab {
    pli_attachment attachment; ///< The soft attachment; null once the grab has ended.
    pli_deformable deformable;
    int32_t particle_count; ///< Number of particles in the patch.
    float limit;            ///< Force limit [N].
    float reach;            ///< Distance at which the force reaches the limit [m].
    float share;            ///< Current fraction of the limit, 0..1.
    float ramp;             ///< Change of `share` per step.
    pli_vec3 force;         ///< Force at the start of the next step [N], for display.
} pli_grab;

/// Begins a grab of the movable particles around a vertex, at their current positions. Size and weight in pli_grab_def refer
/// to the connected piece that contains the vertex: the size is the diagonal of its bounding box at rest. Errors: NOT_FOUND;
/// INVALID_ARGUMENT for a value out of range, and if none of the particles can move; OUT_OF_MEMORY.
PLI_API pli_status pli_grab_begin(pli_world *world, const pli_grab_def *def, pli_grab *grab, pli_error *error);
/// Moves the target of a grab to `target` [m]; call it before each step of `dt` [s]. With `holds` false the force fades within
/// `ramp` steps. The grab then ends: its attachment is null, and further calls do nothing. Errors: NOT_FOUND if the
/// deformable or the attachment was destroyed; INVALID_ARGUMENT unless the target is finite and `dt` is positive and finite.
PLI_API pli_status pli_grab_update(pli_world *world, pli_grab *grab, pli_vec3 target, float dt, bool holds,
                                   pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
