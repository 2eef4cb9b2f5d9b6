// The stages of a substep before and after the contacts and projections (step/step.c): forces, damping, prediction, velocities, and the
// guarantee.
//
//                 v            forces, damping            v'                projections         velocities          guarantee
//   deformable    x   ----------------------------->   x + h v'   ....   ------------->   p   -------------->   v   ---------->
//
// A stage runs one function on each deformable, small deformables in parallel (step/step_deformables.c).

#include "step/step.h"

#include "bending/bends.h"
#include "bending/plate.h"
#include "bending/implicit.h"
#include "collision/contacts/contact.h"
#include "particles/damping.h"
#include "particles/ghost_motion.h"
#include "particles/history.h"
#include "particles/normals_wind.h"
#include "rigid/coupling/support_contacts.h"
#include "rigid/coupling/carried_collider.h"
#include "rigid/coupling/rigid_proxy.h"
#include "stretch/membrane.h"
#include "step/fast_motion.h"
#include "step/momentum_groups.h"
#include "step/moving_out.h"
#include "step/step_collision.h"
#include "world/attachment.h"
#include "world/collider.h"

// The system of equations for the solved forces of a deformable, or null. There is one system at most, since a deformable with a
// plate sweeps its constraint sets.
static const pli_implicit *solved_of(const pli_deformable_data *deformable)
{
    return deformable->plate ? pli_plate_system(deformable) : pli_bends_system(deformable);
}

// Gravity and prediction are one pass where nothing runs between them: no air, damping, momentum measurement, history or due implicit
// solve, and no diagnosis or trace.
static bool falls_at_once(const pli_substep *s, const pli_deformable_data *deformable)
{
    const pli_world *world = s->world;
    bool measured = s->damping_share > 0.0f || deformable->momentum->free || pli_world_is_watched(world) ||
                    deformable->history || pli_implicit_is_due(solved_of(deformable), pli_substep_number(s));
    return !measured && !(world->settings.air_density > 0.0f) && pli_deformable_falls(world, deformable);
}

// Seconds from the start of the step to the middle of the substep.
static double stage_middle_of(const pli_substep *s)
{
    return (double)s->step * ((double)(s->world->substep_count - s->left) + 0.5);
}

// The fraction of velocities that damping removes. The exact solution over h' would be first-order in h; the implicit solution is
// second-order, like the rest of the method.
static float damping_of(const pli_substep *s, const pli_deformable_data *deformable)
{
    float exponent = s->world->settings.damping * pli_deformable_own_step(deformable, s->step);
    bool acts = deformable->history && deformable->history->weight > 0.0f;
    return acts ? exponent / (1.0f + exponent) : s->damping_share;
}

static void accelerate_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    const bool falls = falls_at_once(s, deformable);
    if (!falls)
        pli_deformable_recall(s->world, deformable, s->step);
    if (deformable->membrane)
        pli_membrane_begin(deformable, deformable->membrane);
    if (falls)
        return;
    deformable->momentum->pinned = s->damping_share > 0.0f &&
                                   pli_deformable_damp_pinned(s->world, deformable, damping_of(s, deformable),
                                                              (double)s->step * s->world->substep_count);
    // Half of the forces act before the air and half after it: at terminal speed both halves cancel the drag.
    bool windy = s->world->settings.air_density > 0.0f;
    float own = pli_deformable_own_step(deformable, s->step), step = windy ? 0.5f * own : own;
    if (deformable->triangle.pressure)
        pli_deformable_add_pressure(s->world, deformable, own);
    pli_deformable_accelerate(s->world, deformable, step);
    if (windy) {
        pli_deformable_add_wind(s->world, deformable, own, stage_middle_of(s));
        pli_deformable_accelerate(s->world, deformable, step);
    }
}

void pli_step_apply_forces(const pli_substep *s) { pli_for_deformables(s, accelerate_deformable); }

static void damp_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!deformable->momentum->pinned)
        deformable->momentum->whole = pli_deformable_damp(s->world, deformable, damping_of(s, deformable));
    else if (deformable->momentum->free)
        deformable->momentum->whole = pli_deformable_measure_rigid_motion(s->world, deformable);
}

float pli_step_damping_share(const pli_world *world, float step)
{
    return (float)pli_decay_fraction((double)world->settings.damping, (double)step);
}

void pli_step_damp(const pli_substep *s)
{
    if (s->damping_share > 0.0f)
        pli_for_deformables(s, damp_deformable);
}

static void predict_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    if (deformable->momentum->free && !(s->damping_share > 0.0f)) // Damping measures it as well.
        deformable->momentum->whole = pli_deformable_measure_rigid_motion(s->world, deformable);
    pli_plate_solve(s->world, deformable, pli_substep_number(s));
    pli_bends_solve(s->world, deformable, pli_substep_number(s));
    const float step = pli_deformable_own_step(deformable, s->step);
    const pli_push push = pli_implicit_push(solved_of(deformable), step);
    if (falls_at_once(s, deformable))
        pli_deformable_fall(s->world, deformable, step, push);
    else
        pli_deformable_predict(s->world, deformable, step, push);
    if (push.moves)
        pli_implicit_take_ghosts(s->world, deformable, step);
}

void pli_step_predict(const pli_substep *s)
{
    pli_world_predict_rigids(s->world, s->step, s->from, s->to);
    pli_for_deformables(s, predict_deformable);
    pli_world_move_attachments(s->world, s->from, s->to, s->step);
    pli_world_place_shapes(s->world, s->from, s->to, s->step);
}

void pli_step_predict_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    accelerate_deformable(s, deformable);
    if (s->damping_share > 0.0f)
        damp_deformable(s, deformable);
    predict_deformable(s, deformable);
}

void pli_step_derive_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    // If it moved between sweeps, the project stage has already removed the ghost motion.
    if (pli_deformable_has_ghosts(s->world, deformable) && !deformable->during.moved_between)
        pli_deformable_derive_without_ghosts(s->world, deformable, pli_deformable_own_step(deformable, s->step));
    else
        pli_deformable_derive_velocities(s->world, deformable, pli_deformable_own_step(deformable, s->step));
    pli_deformable_remember(deformable, s->step);
    if (deformable->momentum->pieces)
        deformable->momentum->pieces->kept_shifts = false;
}

void pli_step_derive_velocities(const pli_substep *s)
{
    pli_fast_motion_limit(s);
    pli_moving_out_limit_displacements(s);
    pli_world_derive_rigids(s->world, s->step);
    if (pli_world_has_surfaces(s->world) && !s->world->out_of_memory)
        pli_collision_mark_touched(&s->world->collision);
    pli_for_deformables(s, pli_step_derive_deformable);
}

// Deformables with a surface restart their history where the guarantee has limited motion.
static void forget_what_was_limited(pli_world *world, int64_t before)
{
    const pli_collision *collision = &world->collision;
    if (collision->ccd.limited_count + collision->work.shortened == before)
        return;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->surface)
            pli_features_jump(pli_deformable_at(world, i));
}

void pli_step_run_ccd(const pli_substep *s)
{
    const pli_collision *collision = &s->world->collision;
    const int64_t before = (int64_t)collision->ccd.limited_count + collision->work.shortened;
    pli_world_place_carried(s->world);
    pli_world_run_ccd(s->world);
    forget_what_was_limited(s->world, before);
    pli_world_restore_islands(s->world);
    pli_world_measure_support_contacts(s->world);
    pli_moving_out_limit_speeds(s);
}
