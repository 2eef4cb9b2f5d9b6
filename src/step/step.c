// The step: read this file first.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, run once for each substep as in
//   Macklin et al. 2019, Small Steps in Physics Simulation. Stages are the algorithm's lines; with
//   one substep and PLI_METHOD_PBD it is Algorithm 1 as printed.
//
//     for each substep of length h
//         damping      v of pinned objects <- blended with their pins' motion
//         forces       v <- v + h w f_ext, and the air                 line 5
//         damping      v of free objects <- blended with rigid motion  line 6
//         predict      p <- x + h v, solved forces, attachments moved  line 7
//         contacts     found along x -> p                              line 8
//         project      n sweeps over the sets, then over contacts      lines 9 to 11
//         velocities   v <- (p - x) / h                                lines 12 to 15
//         friction     and restitution                                 line 16
//         guarantee    continuous collision detection of surfaces
//     publish          all finite? then copy to the user's order
//
// A small isolated deformable, one that nothing can reach during the step, runs its stages of all substeps before the
// other deformables (step/apart.h).
//
// The positions of a deformable are in the world's particle store. Only during its sweeps they may be in a grid's layout
// instead: see step_project.c.
#include "step/step.h"

#include "step/apart.h"
#include "step/sleep.h"
#include "step/stuck.h"
#include "base/stop_request.h"
#include "base/timer.h"
#include "bending/bends.h"
#include "collision/contacts/contact_solve.h"
#include "collision/pair_cache/trajectories.h"
#include "sweep/crowd.h"
#include "query/findings/findings.h"
#include "bending/implicit.h"
#include "stretch/surface_forces.h"
#include "model/handles.h"
#include "particles/air.h"
#include "particles/damping.h"
#include "particles/ghost_motion.h"
#include "particles/history.h"
#include "particles/integrate.h"
#include "particles/normals_wind.h"
#include "particles/publish.h"
#include "rigid/coupling/body_bearing.h"
#include "rigid/coupling/carried_collider.h"
#include "rigid/coupling/rigid_proxy.h"
#include "sweep/wavefront.h"
#include "tearing/tear_edges.h"
#include "tearing/tear_state.h"
#include "world/attachment.h"
#include "world/collider.h"
#include "world/collision_layers.h"
#include "world/constraint_set.h"
#include "step/contact_filter.h"
#include "step/diagnose.h"
#include "step/fast_motion.h"
#include "step/momentum.h"
#include "step/moving_out.h"
#include "sweep/connected_pieces.h"
#include "world/moving_origin.h"
#include "bending/plastic.h"
#include "bending/plate.h"
#include "step/step_collision.h"

#include <string.h>

/* ---- stages of a substep ------------------------------------------------------------------------ */

// The system of equations for the solved forces of a deformable, or null. There is one system at most, since a deformable with a
// plate sweeps its constraint sets.
static const pli_implicit *solved_of(const pli_deformable_data *deformable)
{
    return deformable->plate ? pli_plate_system(deformable) : pli_bends_system(deformable);
}

static int32_t substep_of(const pli_substep *s) { return s->world->substep_count - s->left; }

// Gravity and prediction are one pass where nothing runs between them: no air, damping, momentum measurement, history or due implicit
// solve, and no diagnosis or trace.
static bool falls_at_once(const pli_substep *s, const pli_deformable_data *deformable)
{
    const pli_world *world = s->world;
    bool measured = s->damping_share > 0.0f || deformable->free || pli_world_is_watched(world) || deformable->history ||
                    pli_implicit_is_due(solved_of(deformable), substep_of(s));
    return !measured && !(world->settings.air_density > 0.0f) && pli_deformable_falls(world, deformable);
}

// Seconds from the start of the step to the middle of the substep.
static double middle_of(const pli_substep *s)
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
    deformable->pinned = s->damping_share > 0.0f &&
                         pli_deformable_damp_pinned(s->world, deformable, damping_of(s, deformable),
                                                    (double)s->step * s->world->substep_count);
    // Half of the forces act before the air and half after it: at terminal speed both halves cancel the drag.
    bool windy = s->world->settings.air_density > 0.0f;
    float own = pli_deformable_own_step(deformable, s->step), step = windy ? 0.5f * own : own;
    if (deformable->triangle.pressure)
        pli_deformable_add_pressure(s->world, deformable, own);
    pli_deformable_accelerate(s->world, deformable, step);
    if (windy) {
        pli_deformable_add_wind(s->world, deformable, own, middle_of(s));
        pli_deformable_accelerate(s->world, deformable, step);
    }
}

static void apply_forces(const pli_substep *s) { pli_for_deformables(s, accelerate_deformable); }

static void damp_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!deformable->pinned)
        deformable->whole = pli_deformable_damp(s->world, deformable, damping_of(s, deformable));
    else if (deformable->free)
        deformable->whole = pli_deformable_measure_rigid_motion(s->world, deformable);
}

static void damp_velocities(const pli_substep *s)
{
    if (s->damping_share > 0.0f)
        pli_for_deformables(s, damp_deformable);
}

static void predict_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    if (deformable->free && !(s->damping_share > 0.0f)) // Damping measures it as well.
        deformable->whole = pli_deformable_measure_rigid_motion(s->world, deformable);
    pli_plate_solve(s->world, deformable, substep_of(s));
    pli_bends_solve(s->world, deformable, substep_of(s));
    const float step = pli_deformable_own_step(deformable, s->step);
    const pli_push push = pli_implicit_push(solved_of(deformable), step);
    if (falls_at_once(s, deformable))
        pli_deformable_fall(s->world, deformable, step, push);
    else
        pli_deformable_predict(s->world, deformable, step, push);
    if (push.moves)
        pli_implicit_take_ghosts(s->world, deformable, step);
}

static void predict_positions(const pli_substep *s)
{
    pli_world_predict_rigids(s->world, s->step, s->from, s->to);
    pli_for_deformables(s, predict_deformable);
    pli_world_move_attachments(s->world, s->from, s->to, s->step);
    pli_world_place_shapes(s->world, s->from, s->to, s->step);
}

static void derive_deformable(const pli_substep *s, pli_deformable_data *deformable)
{
    // If it moved between sweeps, the project stage has already removed the ghost motion.
    if (pli_deformable_has_ghosts(s->world, deformable) && !deformable->moved_between)
        pli_deformable_derive_without_ghosts(s->world, deformable, pli_deformable_own_step(deformable, s->step));
    else
        pli_deformable_derive_velocities(s->world, deformable, pli_deformable_own_step(deformable, s->step));
    pli_deformable_remember(deformable, s->step);
    if (deformable->pieces)
        deformable->pieces->kept_shifts = false;
}

static void derive_velocities(const pli_substep *s)
{
    pli_fast_motion_limit(s);
    pli_moving_out_limit_displacements(s);
    pli_world_derive_rigids(s->world, s->step);
    if (pli_world_has_surfaces(s->world) && !s->world->out_of_memory)
        pli_collision_mark_touched(&s->world->collision);
    pli_for_deformables(s, derive_deformable);
}

// Deformables with a surface restart their history where the guarantee has limited motion.
static void forget_what_was_limited(pli_world *world, int64_t before)
{
    const pli_collision *collision = &world->collision;
    if (collision->ccd.limited_count + collision->work.shortened == before)
        return;
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->surface)
            pli_deformable_forget_history(pli_deformable_at(world, i));
}

static void run_ccd(const pli_substep *s)
{
    const pli_collision *collision = &s->world->collision;
    const int64_t before = (int64_t)collision->ccd.limited_count + collision->work.shortened;
    pli_world_place_carried(s->world);
    pli_world_run_ccd(s->world);
    forget_what_was_limited(s->world, before);
    pli_world_restore_islands(s->world);
    pli_world_measure_bearings(s->world);
    pli_moving_out_limit_speeds(s);
}

/* ---- substeps ----------------------------------------------------------------------------------- */

// The stages in the order of the algorithm above.
static const struct {
    pli_stage name;
    void (*run)(const pli_substep *s);
} stages[] = {
    {PLI_STAGE_FORCES, apply_forces},
    {PLI_STAGE_DAMPING, damp_velocities},
    {PLI_STAGE_PREDICT, predict_positions},
    {PLI_STAGE_CONTACTS, pli_step_find_contacts},
    {PLI_STAGE_PROJECT, pli_step_project},
    {PLI_STAGE_VELOCITIES, derive_velocities},
    {PLI_STAGE_FRICTION, pli_step_apply_friction},
    {PLI_STAGE_GUARANTEE, run_ccd},
};

static bool reserve_wavefronts(pli_world *world)
{
    if (world->order == PLI_ORDER_COLOURED)
        return true;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!pli_wavefronts_update(world, deformable, pli_deformable_is_swept_by_sets(world, deformable)))
            return false;
    }
    return true;
}

/* ---- isolated deformables ------------------------------------------------------------------------ */

// Substeps of isolated deformables: `count` complete substeps, and of the next substep the stages up to the prediction
// (`predicts`), or also the projections (`projects`).
typedef struct running_apart {
    const pli_substep *step; // The first substep.
    int32_t count;
    bool predicts,
        projects;  // Whether to start the next substep, and whether to run it up to the guarantee.
    int32_t *ends; // [deformables] substeps done within its box; null if boxes are not checked.
} running_apart;

static void predict_apart(const pli_substep *s, pli_deformable_data *deformable)
{
    accelerate_deformable(s, deformable);
    if (s->damping_share > 0.0f)
        damp_deformable(s, deformable);
    predict_deformable(s, deformable);
}

// A deformable alone, or the members of a crowd.
typedef struct deformable_group {
    pli_deformable_data *const *members;
    int32_t count;
} deformable_group;

static deformable_group group_of(pli_deformable_data *const *deformable)
{
    deformable_group all = {deformable, 1};
    if ((*deformable)->crowd)
        all.members = pli_crowd_members((*deformable)->crowd, &all.count);
    return all;
}

static void predict_all(const pli_substep *s, deformable_group all)
{
    for (int32_t m = 0; m < all.count; m++)
        predict_apart(s, all.members[m]);
}

static void project_all(const pli_substep *s, deformable_group all)
{
    for (int32_t m = 0; m < all.count; m++)
        all.members[m]->moved_before = all.members[m]->moved_between = false;
    pli_deformable_project_apart(s, all.members[0]);
    for (int32_t m = 0; m < all.count; m++)
        derive_deformable(s, all.members[m]);
}

static bool are_within(const running_apart *r, deformable_group all)
{
    bool within = true;
    for (int32_t m = 0; r->ends && within && m < all.count; m++)
        within = pli_deformable_is_within(r->step->world, all.members[m]);
    return within;
}

// Returns the substeps done before one of the deformables left its box.
static int32_t run_substeps_apart(const running_apart *r, deformable_group all)
{
    pli_substep s = *r->step;
    for (int32_t i = 0; i < r->count; i++, s.left--) {
        predict_all(&s, all);
        if (!are_within(r, all))
            return i;
        project_all(&s, all);
        if (!are_within(r, all))
            return i;
    }
    if (r->predicts)
        predict_all(&s, all);
    if (r->projects)
        project_all(&s, all);
    return r->count;
}

static void begin_apart(const running_apart *r, pli_deformable_data *deformable)
{
    for (int32_t chunk = 0; chunk < deformable->pool.chunk_count; chunk++)
        deformable->pool.counts[chunk] = 0;
    if (!r->ends)
        pli_deformable_restore_state(deformable);
}

static void run_apart(void *data, int32_t i)
{
    const running_apart *r = data;
    pli_deformable_data *deformable = pli_deformable_at(r->step->world, i);
    if (!deformable->apart || (deformable->crowd && !pli_crowd_is_first(deformable->crowd, deformable)))
        return;
    const deformable_group all = group_of(&deformable);
    bool before = pli_tasks_mark(true);
    double start = pli_seconds();
    for (int32_t m = 0; m < all.count; m++)
        begin_apart(r, all.members[m]);
    int32_t done = run_substeps_apart(r, all);
    for (int32_t m = 0; r->ends && m < all.count; m++)
        r->ends[all.members[m]->number] = done;
    deformable->seconds = (pli_seconds() - start) / (double)(r->count > 0 ? r->count : 1);
    pli_tasks_mark(before);
}

static void set_idle_apart(const pli_world *world, bool idle)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->apart)
            pli_deformable_at(world, i)->idle = idle;
}

static void count_apart(pli_world *world, int64_t substeps)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->apart)
            world->projections += substeps * pli_deformable_projections(world, pli_deformable_at(world, i));
}

// Runs isolated deformables through the step. Returns the substep in which the first of them left its box, or the number of
// substeps. Until then the other deformables ignore them.
static int32_t step_apart(const pli_substep *first)
{
    pli_world *world = first->world;
    int32_t end = first->left;
    if (!pli_world_any_apart(world))
        return end;
    if (world->diagnosis) {
        pli_world_forget_apart(world);
        return end;
    }
    const pli_arena_scope scope = pli_arena_begin(&world->collision.arena);
    running_apart r = {first, end, false, false, PLI_TAKE(&world->collision.arena, int32_t, world->deformables.count)};
    world->out_of_memory = !r.ends;
    if (r.ends)
        pli_tasks_run(world->tasks, world->deformables.count, run_apart, &r);
    for (int32_t i = 0; r.ends && i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->apart && r.ends[i] < end)
            end = r.ends[i];
    pli_arena_end(&world->collision.arena, scope);
    set_idle_apart(world, true);
    return end;
}

// Brings all isolated deformables to the state of the others, after the prediction of the substep or before the guarantee.
// From there on they take part in all stages.
static void join_apart(const pli_substep *s, bool projects)
{
    pli_world *world = s->world;
    pli_substep first = *s;
    first.left = world->substep_count;
    const running_apart r = {&first, first.left - s->left, true, projects, NULL};
    set_idle_apart(world, false);
    pli_tasks_run(world->tasks, world->deformables.count, run_apart, (void *)&r);
    count_apart(world, r.count + projects);
    pli_world_forget_apart(world);
    if (!pli_world_gather_again(world) || !reserve_wavefronts(world))
        world->out_of_memory = true;
    else if (projects)
        pli_world_search_again(world, s->step, s->left);
}

/* ---- substeps ----------------------------------------------------------------------------------- */

// Adds the time since the last stage to this one.
static void note_seconds(pli_world *world, pli_stage stage)
{
    double now = pli_seconds();
    world->stage_seconds[stage] += now - world->stage_end;
    world->stage_end = now;
}

static void run_stage(const pli_substep *s, pli_stage stage, void (*run)(const pli_substep *s))
{
    pli_world *world = s->world;
    world->tracing.stage = stage;
    world->tracing.substep = substep_of(s) + 1;
    run(s);
    note_seconds(world, stage);
    pli_diagnose(world, pli_stage_name(stage), NULL, NULL);
}

// `apart`: some deformables are isolated. `leaves`: one of them leaves its box in this substep.
static bool run_substep(const pli_substep *s, bool apart, bool leaves)
{
    pli_world *world = s->world;
    pli_world_call_host(world, s->step);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        run_stage(s, stages[i].name, stages[i].run);
        if (pli_tasks_must_stop(world->tasks))
            break;
        bool predicted = stages[i].name == PLI_STAGE_PREDICT, guaranteed = stages[i].name == PLI_STAGE_GUARANTEE;
        bool looks = apart && (predicted || guaranteed || stages[i].name == PLI_STAGE_FRICTION);
        if (!looks || !(leaves || !pli_world_others_are_within(world)))
            continue;
        join_apart(s, !predicted);
        apart = false;
        if (guaranteed)
            run_stage(s, stages[i].name, stages[i].run);
    }
    return apart;
}

// Whether no substep work remains after the substeps of isolated deformables.
static bool is_done(const pli_world *world)
{
    bool done = !world->host && world->colliders.count == 0 && world->rigids.count == 0;
    for (int32_t i = 0; i < world->deformables.count && done; i++)
        done = pli_deformable_at(world, i)->idle;
    return done;
}

static void advance(pli_world *world, float dt)
{
    int32_t count = world->substep_count;
    float step = dt / (float)count;
    pli_substep s = {
        .world = world,
        .step = step,
        .damping_share = (float)pli_decay_fraction((double)world->settings.damping, (double)step),
        .bounce = 2.0f * step * pli_length(world->settings.gravity),
        .left = count,
    };
    pli_world_enter_origin(world);
    pli_world_forget_filter_answers(world);
    pli_world_find_free(world);
    pli_fast_motion_begin(world, dt);
    pli_moving_out_begin(world);
    int32_t end = step_apart(&s);
    note_seconds(world, PLI_STAGE_PROJECT);
    bool apart = pli_world_any_apart(world);
    for (int32_t i = 0; i < count && !(apart && end == count && is_done(world)); i++) {
        if (pli_tasks_must_stop(world->tasks))
            break;
        s.left = count - i;
        s.from = (float)i / (float)count, s.to = (float)(i + 1) / (float)count;
        apart = run_substep(&s, apart, i == end);
    }
    set_idle_apart(world, false);
    count_apart(world, count);
    pli_crowds_divide_seconds(world);
}

/* ---- steps -------------------------------------------------------------------------------------- */

static void finish(pli_world *world, float dt)
{
    bool led = pli_world_is_led(world);
    pli_world_finish_attachments(world, dt / (float)world->substep_count);
    pli_world_finish_shapes(world);
    pli_world_finish_rigids(world);
    world->has_contacts = true; // Unless a tear moves the particles that they name.
    pli_world_note_held_back(world, dt);
    pli_moving_out_finish(world);
    pli_world_count_deep(world);
    pli_world_keep_bends(world, (double)dt);
    pli_world_tear(world, dt);
    pli_world_count_intersections(world, led);
    pli_gusts_advance(world, (double)dt);
    world->time += (double)dt;
    world->step_count++;
    pli_world_fall_asleep(world, dt);
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!pli_deformable_is_left_alone(world, deformable))
            pli_deformable_publish_all(world, deformable);
        pli_deformable_drop_forces(deformable);
    }
    pli_world_watch_intersections(world);
    pli_world_watch_work(world);
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_tear_state_report(world, pli_deformable_at(world, i));
}

// Restores the state before the step, except for the user's forces, which are dropped.
static void undo(pli_world *world)
{
    pli_world_restore_origin(world);
    pli_world_move_attachments(world, 0.0f, 0.0f, 0.0f);
    pli_world_restore_state(world);
    pli_surface_forces_restore(world);
    pli_collision_expect_intersections(&world->collision);
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_drop_forces(pli_deformable_at(world, i));
}

static pli_status fail_step(pli_world *world, float dt, pli_error *error)
{
    pli_diagnosis diagnosis = {.vertex = -1, .constraint = -1};
    pli_world_restore_origin(world);
    pli_world_restore_state(world);
    pli_surface_forces_restore(world);
    world->diagnosis = &diagnosis;
    pli_world_forget_crowds(world);
    advance(world, dt);
    world->diagnosis = NULL;
    undo(world);
    return pli_diagnosis_fail(world, &diagnosis, error);
}

// Restores the state before the step. The next step still moves objects to the poses that the application has set.
static pli_status cancel_step(pli_world *world, bool late, pli_error *error)
{
    pli_tasks_take_stop(world->tasks);
    undo(world);
    if (late)
        return pli_fail(error, PLI_STATUS_CANCELLED,
                        "the step took longer than its time limit of %g s; the state is the one before it",
                        world->time_limit);
    return pli_fail(error, PLI_STATUS_CANCELLED, "the step was cancelled; the state is the one before it");
}

static bool reserve(pli_world *world)
{
    if (!pli_world_group_layers(world))
        return false;
    if (!pli_world_reserve_bends(world) || !pli_world_update_membranes(world) || !pli_world_reserve_lambdas(world) ||
        !pli_world_reserve_shapes(world))
        return false;
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!pli_deformable_reserve_history(world, deformable))
            return false;
        if (deformable->idle)
            pli_deformable_forget_history(deformable);
        if ((world->settings.air_density > 0.0f || deformable->triangle.pressure) &&
            !pli_deformable_reserve_faces(world, deformable))
            return false;
    }
    return true;
}

// Updates the systems of plates and of implicitly solved constraint sets.
static bool update_solved(pli_world *world, float step)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle)
            continue;
        if (!pli_plate_update(world, deformable, step, world->substep_count) ||
            !pli_bends_update(world, deformable, step, world->substep_count))
            return false;
        if (!deformable->plate && !deformable->bends)
            deformable->base_count = 0;
    }
    return true;
}

pli_status pli_world_step_begun(pli_world *world, float dt, pli_error *error)
{
    if (!(dt > 0.0f) || !isfinite(dt))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the step is %g; it must be positive and finite [s]",
                        (double)dt);
    if (!pli_world_reserve_islands(world) || !pli_world_update_narrow_shapes(world))
        return pli_fail_memory(error);
    pli_world_choose_idle(world, dt);
    if (!reserve(world) || !pli_world_choose_origin(world))
        return pli_fail_memory(error);
    pli_world_advise(world, (double)dt);
    pli_status status = pli_world_read_sources(world, world->time + (double)dt, error);
    if (status == PLI_STATUS_OK)
        status = pli_world_read_air(world, dt, error);
    if (status != PLI_STATUS_OK)
        return status;
    world->substep_count = world->settings.substeps;
    if (!update_solved(world, dt / (float)world->substep_count) || !pli_world_choose_apart(world, dt) ||
        !pli_world_find_crowds(world, dt / (float)world->substep_count) || !pli_world_gather_surfaces(world) ||
        !reserve_wavefronts(world) || !pli_world_update_pieces(world) || !pli_surface_forces_save(world))
        return pli_fail_memory(error);
    double start = world->stage_end = pli_seconds();
    memset(world->stage_seconds, 0, sizeof world->stage_seconds);
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_at(world, i)->seconds = 0.0;
    world->projections = 0;
    world->out_of_memory = false;
    world->has_contacts = false;
    pli_tasks_wake(world->tasks);
    pli_world_save_state(world);
    bool stirred = world->collision.stirred;
    pli_tasks_watch(world->tasks, true, start + world->time_limit);
    advance(world, dt);
    bool stopped = pli_tasks_must_stop(world->tasks), late = pli_seconds() > start + world->time_limit;
    pli_tasks_watch(world->tasks, false, INFINITY);
    if (stopped) {
        status = cancel_step(world, late, error);
        world->collision.stirred = stirred;
    } else if (world->out_of_memory) {
        undo(world);
        status = pli_fail_memory(error);
    } else if (pli_world_is_finite(world)) {
        finish(world, dt);
        world->tracing.stage = PLI_STAGE_PUBLISH;
        pli_diagnose(world, pli_stage_name(PLI_STAGE_PUBLISH), NULL, NULL);
    } else {
        status = fail_step(world, dt, error);
    }
    pli_tasks_sleep(world->tasks);
    double end = pli_seconds();
    world->stage_seconds[PLI_STAGE_PUBLISH] = end - world->stage_end;
    world->step_seconds = end - start;
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}

pli_status pli_world_step(pli_world *world, float dt, pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL);
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_world_begin_call(world);
    pli_status status = pli_world_step_begun(world, dt, error);
    pli_world_end_call(world);
    return status;
}
