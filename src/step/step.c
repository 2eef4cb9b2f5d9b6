// The step: read this file first.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, run once for each substep as in Macklin et al. 2019, Small Steps in Physics
//   Simulation. With one substep and PLI_METHOD_PBD it is Algorithm 1 as printed.
//
//   step   begin | save | start | substep | substep | ... | substep | finish | publish
//                                    |                        |           |
//            .-----------------------'                        |           '-- not finite, cancelled, out of memory: undo
//            |                                                '-- each of length h = dt / n
//            v
//   forces         v <- v + h w f_ext, and the air                     line 5        particles: x -> v
//   damping        v <- blended with rigid motion                      line 6
//   predict        p <- x + h v, solved forces, attachments move       line 7        x -------> p
//   contacts       are found along x -> p                              line 8
//   project        n sweeps over constraint sets, then over contacts   lines 9-11          p -> p'
//   velocities     v <- (p' - x) / h                                   lines 12-15
//   friction       and restitution                                     line 16
//   guarantee      continuous collision detection of surfaces                        x -------> p' without a crossing
//
// The features of deformables (model/features.h) take part through their rows, in the order of their table.
//
// Exceptions from this schedule: a deformable that is asleep or paused takes no part in a step (`idle`, step/sleep.h); one that nothing
// can reach runs the substeps before the others (step/isolated.h); and a step that fails runs again to find the cause (step/diagnose.h).
//
// Positions are in the particle store; docs/architecture.md lists all other places of a position.
#include "step/step.h"
#include "base/stop_request.h"
#include "base/timer.h"
#include "query/findings/findings.h"
#include "rigid/coupling/rigid_proxy.h"
#include "step/diagnose.h"
#include "step/fast_motion.h"
#include "step/isolated.h"
#include "step/step_collision.h"
#include "world/attachment.h"
#include "world/collider.h"
#include "world/moving_origin.h"
/* ---- substeps ----------------------------------------------------------------------------------- */

static const struct {
    pli_stage name;
    void (*run)(const pli_substep *s);
} stages[] = {
    {PLI_STAGE_FORCES, pli_step_apply_forces},          // step/step_stages.c
    {PLI_STAGE_DAMPING, pli_step_damp},                 // step/step_stages.c
    {PLI_STAGE_PREDICT, pli_step_predict},              // step/step_stages.c
    {PLI_STAGE_CONTACTS, pli_step_find_contacts},       // step/step_contacts.c
    {PLI_STAGE_PROJECT, pli_step_project},              // step/step_project.c
    {PLI_STAGE_VELOCITIES, pli_step_derive_velocities}, // step/step_stages.c
    {PLI_STAGE_FRICTION, pli_step_apply_friction},      // step/step_contacts.c
    {PLI_STAGE_CCD, pli_step_run_ccd},                  // step/step_stages.c
};

// Adds the time since the last stage to this one.
static void note_seconds(pli_world *world, pli_stage stage)
{
    double now = pli_seconds();
    world->timing.stage_seconds[stage] += now - world->timing.stage_end;
    world->timing.stage_end = now;
}

static void run_stage(const pli_substep *s, int32_t i)
{
    pli_world *world = s->world;
    world->tracing.stage = stages[i].name;
    world->tracing.substep = pli_substep_number(s) + 1;
    stages[i].run(s);
    note_seconds(world, stages[i].name);
    pli_diagnose(world, pli_stage_choices[stages[i].name].name, NULL, NULL);
}

static void run_substep(const pli_substep *s, pli_isolated_state *isolated)
{
    pli_world_call_host(s->world, s->step);
    for (int32_t i = 0; i < (int32_t)(sizeof stages / sizeof *stages); i++) {
        run_stage(s, i);
        if (pli_tasks_must_stop(s->world->tasks))
            break;
        if (pli_isolated_meet(isolated, s, stages[i].name))
            run_stage(s, i);
    }
}

static void run_all_substeps(pli_world *world, float dt)
{
    const int32_t count = world->substep_count;
    const float step = dt / (float)count;
    pli_substep s = {
        .world = world,
        .step = step,
        .damping_share = pli_step_damping_share(world, step),
        .bounce = 2.0f * step * pli_length(world->settings.gravity),
        .left = count,
    };
    pli_world_enter_origin(world);
    pli_fast_motion_begin(world, dt);
    pli_features_start(world, dt);
    pli_isolated_state isolated = pli_isolated_begin(&s);
    note_seconds(world, PLI_STAGE_PROJECT);
    for (int32_t i = 0; i < count && !pli_isolated_are_all(&isolated, world) && !pli_tasks_must_stop(world->tasks);
         i++) {
        s.left = count - i;
        s.from = (float)i / (float)count, s.to = (float)(i + 1) / (float)count;
        run_substep(&s, &isolated);
    }
    pli_isolated_end(world);
}

/* ---- before the substeps ------------------------------------------------------------------------ */

static bool reserve_step(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_features_reserve(world, pli_deformable_at(world, i)))
            return false;
    return pli_world_reserve_lambdas(world) && pli_world_choose_origin(world);
}

static bool prepare_step(pli_world *world, float step)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle && !pli_features_prepare(world, pli_deformable_at(world, i), step))
            return false;
    return true;
}

// Everything that may fail, or that calls the application. Until it has succeeded, the state is unchanged.
static pli_status begin_step(pli_world *world, float dt, pli_error *error)
{
    if (!(dt > 0.0f) || !isfinite(dt))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the step is %g; it must be positive and finite [s]",
                        (double)dt);
    if (!pli_world_update_narrow_shapes(world))
        return pli_fail_memory(error);
    pli_status status = pli_features_begin(world, dt, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (!reserve_step(world))
        return pli_fail_memory(error);
    pli_world_advise(world, (double)dt);
    status = pli_world_read_sources(world, world->time + (double)dt, error);
    if (status != PLI_STATUS_OK)
        return status;
    world->substep_count = world->settings.substeps;
    if (!prepare_step(world, dt / (float)world->substep_count) || !pli_world_choose_isolated(world, dt) ||
        !pli_world_gather_surfaces(world) || !pli_step_reserve_wavefronts(world) || !pli_features_ready(world))
        return pli_fail_memory(error);
    return PLI_STATUS_OK;
}

static void reset_measurements(pli_world *world)
{
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        world->timing.stage_seconds[i] = 0.0;
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_at(world, i)->during.seconds = 0.0;
    world->timing.projections = 0;
    world->out_of_memory = false;
    world->has_contacts = false;
}

/* ---- after the substeps ------------------------------------------------------------------------- */

static void finish_step(pli_world *world, float dt)
{
    bool led = pli_world_is_led(world);
    pli_world_finish_attachments(world, dt / (float)world->substep_count);
    pli_world_finish_shapes(world);
    pli_world_finish_rigids(world);
    world->has_contacts = true; // Unless a tear moves the particles that they name.
    pli_world_count_deep(world);
    pli_features_finish(world, dt); // Tears come last, so intersections are counted after them.
    pli_world_count_intersections(world, led);
    world->time += (double)dt;
    world->timing.step_count++;
    pli_features_publish(world, dt);
    pli_world_watch_intersections(world);
    pli_world_watch_work(world);
    world->tracing.stage = PLI_STAGE_PUBLISH;
    pli_diagnose(world, pli_stage_choices[PLI_STAGE_PUBLISH].name, NULL, NULL);
}

// Restores the state before the step, except for the user's forces, which are dropped. The next step still moves objects to the poses that
// the application has set.
static void undo(pli_world *world)
{
    pli_world_restore_origin(world);
    pli_world_move_attachments(world, 0.0f, 0.0f, 0.0f);
    pli_world_restore_state(world);
    pli_features_undo(world, false);
    pli_collision_expect_intersections(&world->collision);
}

// Runs the step again, to name the stage that makes the state non-finite.
static pli_status fail(pli_world *world, float dt, pli_error *error)
{
    pli_diagnosis diagnosis = {.vertex = -1, .constraint = -1};
    pli_world_restore_origin(world);
    pli_world_restore_state(world);
    pli_features_undo(world, true);
    world->tracing.diagnosis = &diagnosis;
    run_all_substeps(world, dt);
    world->tracing.diagnosis = NULL;
    undo(world);
    return pli_diagnosis_fail(world, &diagnosis, error);
}

static pli_status cancel(pli_world *world, bool late, pli_error *error)
{
    pli_tasks_take_stop(world->tasks);
    undo(world);
    const char *message = late ? "the step took longer than its time limit of %g s; the state is the one before it"
                               : "the step was cancelled; the state is the one before it";
    return pli_fail(error, PLI_STATUS_CANCELLED, message, world->timing.limit);
}

/* ---- steps -------------------------------------------------------------------------------------- */

pli_status pli_world_step_begun(pli_world *world, float dt, pli_error *error)
{
    pli_status status = begin_step(world, dt, error);
    if (status != PLI_STATUS_OK)
        return status;
    const double start = world->timing.stage_end = pli_seconds();
    reset_measurements(world);
    pli_tasks_wake(world->tasks);
    pli_world_save_state(world);
    const bool stirred = world->collision.stirred;
    pli_tasks_watch(world->tasks, true, start + world->timing.limit);
    run_all_substeps(world, dt);
    const bool stopped = pli_tasks_must_stop(world->tasks), late = pli_seconds() > start + world->timing.limit;
    pli_tasks_watch(world->tasks, false, INFINITY);

    if (stopped) {
        status = cancel(world, late, error);
        world->collision.stirred = stirred;
    } else if (world->out_of_memory) {
        undo(world);
        status = pli_fail_memory(error);
    } else if (pli_world_is_finite(world)) {
        finish_step(world, dt);
    } else {
        status = fail(world, dt, error);
    }
    pli_tasks_sleep(world->tasks);
    const double end = pli_seconds();
    world->timing.stage_seconds[PLI_STAGE_PUBLISH] = end - world->timing.stage_end;
    world->timing.step_seconds = end - start;
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}
