// The step: read this file first.
//
//   Mueller et al. 2006, Position Based Dynamics, Algorithm 1, run once for each substep as in
//   Macklin et al. 2019, Small Steps in Physics Simulation. Stages are the algorithm's lines; with
//   one substep and PLI_METHOD_PBD it is Algorithm 1 as printed.
//
//     for each substep of length h
//         forces       v <- v + h w f_ext                              line 5
//         damping      v <- closer to the motion of the whole          line 6
//         predict      p <- x + h v, attachments moved                 line 7
//         contacts     found along x -> p                              line 8
//         project      n sweeps over the sets, then over contacts      lines 9 to 11
//         velocities   v <- (p - x) / h                                lines 12 to 15
//         friction     and restitution                                 line 16
//         guarantee    surfaces do not go through one another
//     publish          finite? then show the user's order
#include "base/timer.h"
#include "collision/push.h"
#include "solver/attachment.h"
#include "solver/blame.h"
#include "solver/carried.h"
#include "solver/collider.h"
#include "solver/filter.h"
#include "solver/flow.h"
#include "solver/grid.h"
#include "solver/held.h"
#include "solver/island.h"
#include "solver/limit.h"
#include "solver/proxy.h"
#include "solver/set.h"
#include "solver/share.h"
#include "solver/surfaces.h"
#include "solver/tear.h"
#include "solver/torn.h"
#include "solver/waves.h"

#include <string.h>

typedef struct substep {
    pli_world *world;
    float step;          // [s]
    float damping_share; // Of this substep.
    float bounce;        // Approach below which nothing rebounds [m/s].
    int32_t left;        // Substeps with this one.
    float from, to;      // Part of the step.
} substep;

typedef void (*stage)(const substep *s);

static pli_body *body_at(const pli_world *world, int32_t i) { return (pli_body *)(void *)world->bodies.items[i]; }

static pli_set *set_at(const pli_world *world, int32_t i) { return (pli_set *)(void *)world->sets.items[i]; }

typedef void (*body_work)(const substep *s, pli_body *body);

typedef struct crowd {
    const substep *substep;
    body_work work;
} crowd;

// Those that a thread does at once: sharing one of them out would take longer.
static bool is_small(const pli_body *body) { return body->count <= PLI_PARTICLE_GRAIN; }

static void work_small(void *data, int32_t i)
{
    const crowd *c = data;
    pli_body *body = body_at(c->substep->world, i);
    bool before = pli_tasks_mark(true);
    if (is_small(body))
        c->work(c->substep, body);
    pli_tasks_mark(before);
}

// Small deformables side by side, and then each large one shared out. Nothing that they do may depend on another.
static void for_bodies(const substep *s, body_work work)
{
    crowd c = {s, work};
    int32_t small = 0;
    for (int32_t i = 0; i < s->world->bodies.count; i++)
        small += is_small(body_at(s->world, i));
    bool together = small > 1 && !s->world->blame;
    if (together)
        pli_tasks_run(s->world->tasks, s->world->bodies.count, work_small, &c);
    for (int32_t i = 0; i < s->world->bodies.count; i++)
        if (!together || !is_small(body_at(s->world, i)))
            work(s, body_at(s->world, i));
}

// Whether nothing comes between gravity and the prediction, so that one pass does both.
static bool starts_at_once(const substep *s, const pli_body *body)
{
    const pli_world *world = s->world;
    return !(s->damping_share > 0.0f) && !(world->settings.air_density > 0.0f) && !body->free && !world->blame;
}

static void push_body(const substep *s, pli_body *body)
{
    if (starts_at_once(s, body))
        return;
    pli_body_accelerate(s->world, body, s->step);
    if (s->world->settings.air_density > 0.0f)
        pli_body_blow(s->world, body, s->step);
}

static void apply_forces(const substep *s) { for_bodies(s, push_body); }

static void damp_body(const substep *s, pli_body *body)
{
    body->whole = pli_body_damp(s->world, body, s->damping_share);
}

static void damp_velocities(const substep *s)
{
    if (s->damping_share > 0.0f)
        for_bodies(s, damp_body);
}

static void predict_body(const substep *s, pli_body *body)
{
    if (starts_at_once(s, body)) {
        pli_body_start(s->world, body, s->step);
        return;
    }
    if (body->free && !(s->damping_share > 0.0f)) // Damping has told it.
        body->whole = pli_body_measure_whole(s->world, body);
    pli_body_predict(s->world, body, s->step);
}

static void predict_positions(const substep *s)
{
    pli_world_predict_rigids(s->world, s->step, s->from, s->to);
    for_bodies(s, predict_body);
}

static pli_contact_job contact_job(const substep *s, pli_body *body)
{
    return (pli_contact_job){
        .particles = body->particles,
        .velocities = body->velocities,
        .previous = body->previous,
        .count = body->count,
        .shapes = s->world->shapes,
        .around = &s->world->shape_tree,
        .near = s->world->kernels->near,
        .thickness = body->thickness,
        .step = s->step,
        .bounce = s->bounce,
        .layers = body->def.layers,
        .mask = body->def.mask,
    };
}

typedef struct contact_work {
    pli_contact_job job;
    const pli_smooth_kernels *kernels;
    pli_contact_pool *pool;
} contact_work;

static void find_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    int32_t begin = chunk * PLI_CONTACT_GRAIN;
    int32_t end = work->job.count - begin > PLI_CONTACT_GRAIN ? begin + PLI_CONTACT_GRAIN : work->job.count;
    work->pool->counts[chunk] = pli_contacts_find(&work->job, work->kernels, begin, end,
                                                  pli_chunk_contacts(work->pool, chunk), work->pool->capacity);
}

static void project_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    work->kernels->project(&work->job, pli_chunk_contacts(work->pool, chunk), work->pool->counts[chunk]);
}

static void update_chunk(void *data, int32_t chunk)
{
    const contact_work *work = data;
    work->kernels->update(&work->job, pli_chunk_contacts(work->pool, chunk), work->pool->counts[chunk]);
}

// Grows the room of every chunk when one overflowed. False when none did, or memory ran out, which
// ends the step.
static bool grow_pool(pli_world *world, pli_contact_pool *pool)
{
    int32_t most = 0;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        most = pool->counts[chunk] > most ? pool->counts[chunk] : most;
    if (most <= pool->capacity)
        return false;
    int32_t capacity = most + most / 2;
    pli_contact_group *groups = PLI_ALLOCATE(&world->memory, pli_contact_group, (int64_t)capacity * pool->chunk_count);
    if (groups) {
        pli_release(&world->memory, pool->groups);
        pool->groups = groups;
        pool->capacity = capacity;
        return true;
    }
    world->starved = true;
    for (int32_t chunk = 0; chunk < pool->chunk_count; chunk++)
        if (pool->counts[chunk] > pool->capacity)
            pool->counts[chunk] = pool->capacity;
    return false;
}

static void run_contacts(const substep *s, pli_body *body, pli_task task)
{
    contact_work work = {contact_job(s, body), s->world->kernels->smooth, &body->pool};
    pli_tasks_run(s->world->tasks, body->pool.chunk_count, task, &work);
}

static void find_of_body(const substep *s, pli_body *body) { run_contacts(s, body, find_chunk); }
static void project_of_body(const substep *s, pli_body *body) { run_contacts(s, body, project_chunk); }
static void update_of_body(const substep *s, pli_body *body) { run_contacts(s, body, update_chunk); }

static void for_contacts(const substep *s, body_work work)
{
    if (s->world->solids.count > 0)
        for_bodies(s, work);
}

static void drop_contacts(pli_world *world)
{
    for (int32_t i = 0; i < world->bodies.count; i++)
        for (int32_t chunk = 0; chunk < body_at(world, i)->pool.chunk_count; chunk++)
            body_at(world, i)->pool.counts[chunk] = 0;
}

static void find_contacts(const substep *s)
{
    drop_contacts(s->world);
    for_contacts(s, find_of_body);
    bool grown = false;
    for (int32_t i = 0; i < s->world->bodies.count && s->world->solids.count > 0; i++)
        grown = grow_pool(s->world, &body_at(s->world, i)->pool) || grown;
    if (grown)
        for_contacts(s, find_of_body);
    pli_world_filter_contacts(s->world);
    pli_world_find_surfaces(s->world, s->step, s->left);
}

static void prepare_sets(const substep *s)
{
    pli_world *world = s->world;
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_set *set = set_at(world, i);
        if (!set->type->needs_normals)
            continue;
        pli_body_update_normals(world, set->body, set->body->previous);
        pli_projection projection = pli_set_projection(world, set, s->step, (pli_sweep){true, s->left == 1});
        pli_set_prepare(world, set, &projection);
    }
}

static void leave_grids(pli_world *world)
{
    for (int32_t i = 0; i < world->bodies.count; i++)
        pli_grid_leave(world, body_at(world, i));
}

static void project_set(const substep *s, pli_set *set, const pli_projection *projection)
{
    pli_world *world = s->world;
    if (!set->runs)
        pli_grid_leave(world, set->body);
    pli_set_project(world, set, projection);
    if (!world->blame)
        return;
    pli_grid_leave(world, set->body);
    pli_blame_look(world, "a constraint", set);
}

// Up to `most` sweeps over the sets from this one on that go together; returns how many, and moves on behind the sets.
static int32_t sweep_from(const substep *s, pli_set **set, bool first, int32_t most)
{
    pli_sweep which = {first, s->left == 1};
    pli_waves *waves = pli_waves_from(s->world, *set, most);
    if (waves) {
        *set = pli_waves_behind(waves);
        return pli_waves_project(s->world, waves, s->step, which);
    }
    pli_projection *projection = &(*set)->projection;
    if (first)
        *projection = pli_set_projection(s->world, *set, s->step, which);
    project_set(s, *set, projection);
    if (first && s->world->settings.iterations > 1)
        *projection = pli_set_projection(s->world, *set, s->step, (pli_sweep){false, which.last_substep});
    *set = (*set)->next;
    return 1;
}

static void sweep_first(const substep *s, pli_body *body)
{
    if (pli_flow_may(s->world, body)) {
        pli_flow_sweep(s->world, body, s->step, (pli_sweep){true, s->left == 1});
        return;
    }
    for (pli_set *set = body->first_set; set;)
        sweep_from(s, &set, true, 1);
}

static void sweep_again(const substep *s, pli_body *body)
{
    if (pli_flow_may(s->world, body)) {
        pli_flow_sweep(s->world, body, s->step, (pli_sweep){false, s->left == 1});
        return;
    }
    for (pli_set *set = body->first_set; set;)
        sweep_from(s, &set, false, 1);
}

// Several sweeps are made at once only where they are over all sets.
static void sweep_all(const substep *s, pli_body *body)
{
    if (pli_flow_may(s->world, body)) {
        pli_flow_project(s->world, body, s->step, s->left == 1);
        return;
    }
    int32_t sweeps = s->world->settings.iterations;
    for (int32_t done = 0, now = 1; done < sweeps && body->first_set; done += now)
        for (pli_set *set = body->first_set; set;)
            now = sweep_from(s, &set, done == 0, sweeps - done);
}

// Whether something else than constraint sets needs positions within the sweeps.
static bool is_looked_at(const pli_world *world)
{
    return world->solids.count > 0 || world->rigids.count > 0 || pli_world_has_surfaces(world);
}

// Whether nothing comes between the projections of one substep and the prediction of the next.
static bool is_left_alone(const pli_world *world, const substep *s)
{
    for (int32_t i = 0; i < world->bodies.count; i++)
        if (body_at(world, i)->free)
            return false;
    return !is_looked_at(world) && s->damping_share == 0.0f && !(world->settings.air_density > 0.0f) && !world->host &&
           !world->blame;
}

static bool goes_on(const pli_world *world, const substep *s) { return s->left > 1 && is_left_alone(world, s); }

// Whether nothing but constraint sets acts between the sweeps of a substep: then each deformable goes through all.
static bool sweeps_alone(const pli_world *world)
{
    bool alone = !is_looked_at(world) && !world->blame;
    for (int32_t i = 0; i < world->bodies.count; i++)
        alone = alone && !pli_body_is_limited(body_at(world, i));
    return alone;
}

static void count_projections(pli_world *world, int32_t sweeps)
{
    for (int32_t i = 0; i < world->sets.count; i++)
        world->projections += (int64_t)set_at(world, i)->count * sweeps;
}

// One sweep, and what else acts after it.
static void sweep_once(const substep *s, int32_t iteration)
{
    pli_world *world = s->world;
    pli_world_limit_levels(world);
    for_bodies(s, iteration == 0 ? sweep_first : sweep_again);
    count_projections(world, 1);
    pli_world_limit_stretch(world, s->step, (pli_sweep){iteration == 0, s->left == 1});
    pli_blame_look(world, "the limit of stretch", NULL);
    if (is_looked_at(world))
        leave_grids(world);
    pli_world_project_ties(world, s->step, iteration == 0);
    for_contacts(s, project_of_body);
    if (pli_world_has_surfaces(world) && !world->starved)
        pli_space_project(&world->space);
    pli_blame_look(world, "a contact", NULL);
}

static bool stays_in_columns(const pli_world *world, const pli_body *body)
{
    for (const pli_set *set = body->first_set; set; set = set->next)
        if (!set->runs)
            return false;
    return body->grid && !body->forced && world->settings.speed_limit == INFINITY;
}

static void go_on_with_body(const substep *s, pli_body *body)
{
    if (stays_in_columns(s->world, body) && body->grid->inside) {
        pli_grid_go_on(s->world, body, s->step);
        return;
    }
    pli_grid_leave(s->world, body);
    pli_body_go_on(s->world, body, s->step);
}

static void project_constraints(const substep *s)
{
    pli_world *world = s->world;
    int32_t iterations = world->settings.iterations;
    prepare_sets(s);
    if (sweeps_alone(world)) {
        for_bodies(s, sweep_all);
        count_projections(world, iterations);
    } else {
        for (int32_t iteration = 0; iteration < iterations; iteration++)
            sweep_once(s, iteration);
    }
    if (!goes_on(world, s))
        leave_grids(world);
}

static bool is_acted_on(const pli_world *world, const pli_body *body)
{
    if (body->first_tie)
        return true;
    if (body->surface && pli_world_has_surfaces(world) && body->surface->touched)
        return true;
    return pli_is_pushed(world, body);
}

static void derive_body(const substep *s, pli_body *body)
{
    pli_body_derive_velocities(s->world, body, s->step);
    if (body->free && !is_acted_on(s->world, body))
        pli_body_restore_whole(s->world, body, &body->whole);
}

static void derive_velocities(const substep *s)
{
    pli_world_derive_rigids(s->world, s->step);
    if (pli_world_has_surfaces(s->world) && !s->world->starved)
        pli_space_mark_touched(&s->world->space);
    for_bodies(s, derive_body);
}

static void apply_friction(const substep *s)
{
    for_contacts(s, update_of_body);
    if (pli_world_has_surfaces(s->world) && !s->world->starved)
        pli_space_rebound(&s->world->space, s->bounce);
}

static void guard_surfaces(const substep *s)
{
    pli_world_lay_carried(s->world);
    pli_world_guard_surfaces(s->world);
    pli_world_restore_islands(s->world);
}

static void run_stage(const substep *s, pli_stage name, stage run)
{
    run(s);
    double now = pli_seconds();
    s->world->stage_seconds[name] += now - s->world->stage_end;
    s->world->stage_end = now;
    pli_blame_look(s->world, pli_stage_name(name), NULL);
}

static void go_on(const substep *s) { for_bodies(s, go_on_with_body); }

static void start_substep(const substep *s)
{
    pli_world_call_host(s->world, s->step);
    run_stage(s, PLI_STAGE_FORCES, apply_forces);
    run_stage(s, PLI_STAGE_DAMPING, damp_velocities);
    run_stage(s, PLI_STAGE_PREDICT, predict_positions);
}

static void end_substep(const substep *s)
{
    run_stage(s, PLI_STAGE_VELOCITIES, derive_velocities);
    run_stage(s, PLI_STAGE_FRICTION, apply_friction);
    run_stage(s, PLI_STAGE_GUARANTEE, guard_surfaces);
}

// Whether each deformable goes through the whole step by itself.
static bool steps_alone(const pli_world *world, const substep *s)
{
    for (int32_t i = 0; i < world->sets.count; i++)
        if (set_at(world, i)->type->needs_normals)
            return false;
    return is_left_alone(world, s) && sweeps_alone(world);
}

static void step_body(const substep *s, pli_body *body)
{
    if (stays_in_columns(s->world, body) && pli_flow_may(s->world, body)) {
        pli_flow_whole(s->world, body, s->step, s->left);
        return;
    }
    push_body(s, body);
    predict_body(s, body);
    for (substep now = *s; now.left > 0; now.left--) {
        pli_body_move_ties(s->world, body, (float)(s->left - now.left + 1) / (float)s->left);
        sweep_all(&now, body);
        if (now.left > 1)
            go_on_with_body(&now, body);
    }
    pli_grid_leave(s->world, body);
    derive_body(s, body);
}

static void step_bodies(const substep *s)
{
    for_bodies(s, step_body);
    count_projections(s->world, s->left * s->world->settings.iterations);
    guard_surfaces(s);
}

static void advance(pli_world *world, float dt)
{
    int32_t count = world->settings.substeps;
    pli_world_forget_verdicts(world);
    pli_world_find_free(world);
    float step = dt / (float)count;
    substep s = {world,
                 step,
                 (float)pli_share((double)world->settings.damping, count),
                 2.0f * step * pli_length(world->settings.gravity),
                 count,
                 0.0f,
                 0.0f};
    if (steps_alone(world, &s)) {
        find_contacts(&s);
        run_stage(&s, PLI_STAGE_PROJECT, step_bodies);
        return;
    }
    bool started = false;
    for (int32_t i = 0; i < count; i++, s.left--) {
        s.from = (float)i / (float)count, s.to = (float)(i + 1) / (float)count;
        if (!started)
            start_substep(&s);
        pli_world_move_ties(world, s.to);
        pli_world_place_shapes(world, s.from, s.to, step);
        if (is_looked_at(world))
            run_stage(&s, PLI_STAGE_CONTACTS, find_contacts);
        else
            find_contacts(&s); // Next to nothing, which need not be timed.
        run_stage(&s, PLI_STAGE_PROJECT, project_constraints);
        started = goes_on(world, &s);
        if (started)
            run_stage(&s, PLI_STAGE_VELOCITIES, go_on);
        else
            end_substep(&s);
    }
}

static void drop_forces(pli_body *body)
{
    for (int32_t k = 0; body->forced && k < 3 * body->count; k++)
        body->forces[k] = 0.0f;
    body->forced = false;
}

static void finish(pli_world *world, float dt)
{
    pli_world_finish_ties(world);
    pli_world_finish_shapes(world);
    pli_world_finish_rigids(world);
    pli_world_tear(world, dt);
    world->time += (double)dt;
    world->step_count++;
    world->has_contacts = true;
    for (int32_t i = 0; i < world->bodies.count; i++) {
        pli_body *body = body_at(world, i);
        pli_body_publish_all(world, body);
        drop_forces(body);
    }
    pli_world_watch_tangles(world);
    for (int32_t i = 0; i < world->bodies.count; i++)
        pli_torn_report(world, body_at(world, i));
}

// Brings the world back to where it was before the step, but for the user's forces.
static void undo(pli_world *world)
{
    pli_world_move_ties(world, 0.0f);
    pli_world_return_state(world);
    pli_space_expect_intersections(&world->space);
    for (int32_t i = 0; i < world->bodies.count; i++)
        drop_forces(body_at(world, i));
}

static pli_status fail_step(pli_world *world, float dt, pli_error *error)
{
    pli_blame blame = {.vertex = -1, .constraint = -1};
    pli_world_return_state(world);
    world->blame = &blame;
    advance(world, dt);
    world->blame = NULL;
    undo(world);
    return pli_blame_fail(world, &blame, error);
}

static bool reserve(pli_world *world)
{
    if (!pli_world_update_limits(world) || !pli_world_reserve_lambdas(world) || !pli_world_reserve_shapes(world))
        return false;
    if (!(world->settings.air_density > 0.0f))
        return true;
    for (int32_t i = 0; i < world->bodies.count; i++)
        if (!pli_body_reserve_faces(world, body_at(world, i)))
            return false;
    return true;
}

static bool reserve_waves(pli_world *world)
{
    if (world->order == PLI_ORDER_COLOURED)
        return true;
    return pli_world_update_waves(world, sweeps_alone(world));
}

pli_status pli_world_step(pli_world *world, float dt, pli_error *error)
{
    PLI_ASSERT(NULL, world != NULL);
    if (!(dt > 0.0f) || !isfinite(dt))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the step is %g; it must be positive and finite [s]",
                        (double)dt);
    if (!reserve(world) || !pli_world_reserve_islands(world) || !pli_world_gather_surfaces(world) ||
        !reserve_waves(world) || !pli_world_list_held(world))
        return pli_fail_memory(error);
    pli_status status = pli_world_ask_sources(world, world->time + (double)dt, error);
    if (status != PLI_STATUS_OK)
        return status;
    double start = world->stage_end = pli_seconds();
    memset(world->stage_seconds, 0, sizeof world->stage_seconds);
    world->projections = 0;
    world->starved = false;
    world->has_contacts = false;
    pli_tasks_wake(world->tasks);
    pli_world_keep_state(world);
    advance(world, dt);
    if (world->starved) {
        undo(world);
        status = pli_fail_memory(error);
    } else if (pli_world_is_finite(world)) {
        finish(world, dt);
    } else {
        status = fail_step(world, dt, error);
    }
    pli_tasks_sleep(world->tasks);
    double end = pli_seconds();
    world->stage_seconds[PLI_STAGE_PUBLISH] = end - world->stage_end;
    world->step_seconds = end - start;
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}

static const char *const stage_names[PLI_STAGE_COUNT] = {
    "forces", "damping", "predict", "contacts", "project", "velocities", "friction", "guarantee", "publish",
};

const char *pli_stage_name(pli_stage name)
{
    return (unsigned)name < PLI_STAGE_COUNT ? stage_names[name] : "unknown stage";
}
