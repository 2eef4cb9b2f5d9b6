// The project stage: n iterations over everything that moves positions, Mueller et al. 2006, Algorithm 1, lines 9 to
// 11. The first half of the sweeps over the constraint sets runs backward, the second half forward (sweep/sweep.h).
// The set that was created last is therefore projected last, as in purely forward sweeps.
//
//     for each iteration
//         for each deformable            divided among the threads, or one after the other by all threads
//             constraint sets            in order of creation, or backward; in the middle iteration of an odd number both
//             its membrane               solved as one system, unless surfaces touch it
//         membranes that surfaces touch  solved together in one system
//         attachments to rigid bodies, contacts
//
// Sweeps precede the solve, which treats their displacements as one of the other forces. After the solve they could add energy to stiff
// modes: with X = x + h v, a cycle B for the inverse of A = M / h^2 + K, and a symmetric sweep S, the result would be S (1 - B K) X. Its
// factors are symmetric in the products of M and of K, and together may have complex eigenvalues. Before the solve the result is
// (1 - B (K + M / h^2 (1 - S))) X. Its eigenvalues are 0 to 1, since the sum in brackets is symmetric and at most A.
//
// Within a sweep only its own constraints move a deformable, so its positions may have the layout in which these run
// fastest. Only `bring_to` moves positions between the world's store and a grid's layout: a sweep begins and ends with
// the positions in the store. Where nothing acts between sweeps (no collider, no rigid body, no surfaces), a deformable
// runs all sweeps of the substep in a row and stays in its layout meanwhile.
#include "sweep/crowd.h"
#include "sweep/grid/grid_sweep.h"
#include "stretch/surface_forces.h"
#include "particles/ghost_motion.h"
#include "particles/history.h"
#include "particles/normals_wind.h"
#include "rigid/coupling/rigid_proxy.h"
#include "sweep/wavefront.h"
#include "step/diagnose.h"
#include "step/step.h"
#include "step/step_collision.h"

/* ---- the layout of the positions ---------------------------------------------------------------- */

typedef enum layout { IN_STORE, IN_GRID } layout;

// A deformable during its sweeps.
typedef struct sweeping {
    const pli_substep *substep;
    pli_deformable_data *deformable;
    layout positions; // The layout that holds the positions now.
    pli_grid_queue queue;
} sweeping;

static void begin_sweeping(sweeping *now, const pli_substep *substep, pli_deformable_data *deformable)
{
    now->substep = substep, now->deformable = deformable, now->positions = IN_STORE;
    now->queue.world = substep->world, now->queue.deformable = deformable, now->queue.count = 0;
}

static void bring_to(sweeping *now, layout wanted)
{
    if (now->positions == wanted)
        return;
    if (wanted == IN_GRID)
        pli_grid_enter(&now->queue);
    else
        pli_grid_leave(&now->queue);
    now->positions = wanted;
}

// While a diagnosis or a trace reads the state, positions return to the store after every part.
static void diagnose_after(sweeping *now, const char *part, const pli_constraints_data *set)
{
    if (!pli_world_is_watched(now->substep->world))
        return;
    bring_to(now, IN_STORE);
    pli_diagnose(now->substep->world, part, now->deformable, set);
}

/* ---- objects that move a deformable ------------------------------------------------------------- */

static bool acts_between_sweeps(const pli_world *world)
{
    return world->colliders.count > 0 || world->rigids.count > 0 || pli_world_has_surfaces(world);
}

bool pli_deformable_is_swept_by_sets(const pli_world *world, const pli_deformable_data *deformable)
{
    return !acts_between_sweeps(world) && !deformable->membrane;
}

bool pli_step_reserve_wavefronts(pli_world *world)
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

// Whether surfaces may touch a membrane, or attachments tie it to rigid bodies. Such membranes are solved together
// (stretch/surface_forces.h).
static bool is_solved_together(const pli_world *world, const pli_deformable_data *deformable)
{
    return deformable->membrane && !deformable->isolated->active &&
           ((deformable->surface && pli_world_has_surfaces(world)) || pli_deformable_is_attached_to_rigids(deformable));
}

/* ---- one sweep ---------------------------------------------------------------------------------- */

static void sweep_set(sweeping *now, pli_constraints_data *set, pli_sweep which)
{
    pli_world *world = now->substep->world;
    float step = pli_deformable_own_step(now->deformable, now->substep->step);
    if (which.first)
        set->projection = pli_constraints_projection(world, set, step, which);
    set->projection.backward = which.backward;
    bring_to(now, set->grid_runs.items ? IN_GRID : IN_STORE);
    if (set->grid_runs.items)
        pli_grid_sweep(&now->queue, set, &set->projection);
    else
        pli_constraints_project(world, set, &set->projection);
    diagnose_after(now, "a constraint", set);
    if (which.first && pli_sweep_count(&world->settings) > 1)
        set->projection = pli_constraints_projection(world, set, step, (pli_sweep){false, false});
}

// Whether the set is part of a solved membrane.
static bool is_in_membrane(const pli_constraints_data *set)
{
    return set->deformable->membrane && (pli_constraints_is_solved(set) || pli_constraints_is_volume(set));
}

// Projects sets, or the segments of sets in a wavefront, in the order of the sweep. Returns the number of sweeps done.
static int32_t sweep_from(sweeping *now, pli_constraints_data *set, pli_sweep which, int32_t most)
{
    pli_world *world = now->substep->world;
    while (set && (set->unswept || is_in_membrane(set)))
        set = set->next;
    if (!set)
        return 1;
    pli_wavefronts *wavefronts = pli_wavefronts_from(world, set, most);
    pli_constraints_data *behind = wavefronts ? pli_wavefronts_behind(wavefronts) : set->next;
    int32_t sweeps = 1;
    if (which.backward)
        sweep_from(now, behind, which, most);
    if (wavefronts)
        sweeps = pli_wavefronts_project(world, wavefronts, pli_deformable_own_step(now->deformable, now->substep->step),
                                        which);
    else
        sweep_set(now, set, which);
    if (!which.backward)
        sweep_from(now, behind, which, most);
    return sweeps;
}

// Runs sweep number `sweep` of the substep over the sets, or up to `most` sweeps where a wavefront over all sets runs
// several simultaneously. Returns the number of sweeps done.
static int32_t sweep_sets(sweeping *now, int32_t sweep, int32_t most)
{
    const pli_substep *s = now->substep;
    pli_sweep which = {sweep == 0, pli_sweep_is_backward(&s->world->settings, sweep)};
    return sweep_from(now, now->deformable->first_set, which, most);
}

// Runs an iteration: one or two sweeps, and the solve of the membrane.
static void iterate(sweeping *now, int32_t iteration)
{
    const pli_substep *s = now->substep;
    const pli_settings *settings = &s->world->settings;
    pli_membrane *membrane = now->deformable->membrane;
    if (membrane && iteration > 0)
        pli_membrane_expect_sweep(now->deformable, membrane);
    for (int32_t k = pli_sweeps_before(settings, iteration); k < pli_sweeps_before(settings, iteration + 1); k++)
        sweep_sets(now, k, 1);
    if (membrane && !is_solved_together(s->world, now->deformable)) {
        bring_to(now, IN_STORE);
        pli_membrane_solve(s->world, now->deformable, membrane, pli_deformable_own_step(now->deformable, s->step),
                           s->world->substep_count - s->left, iteration);
        diagnose_after(now, "the solve of the membrane", NULL);
    }
}

static bool may_have_ghosts(const pli_substep *s, const pli_deformable_data *deformable)
{
    return deformable->during.moved_between && pli_deformable_has_ghosts(s->world, deformable);
}

static void begin_sweep(const pli_substep *s, pli_deformable_data *deformable)
{
    if (may_have_ghosts(s, deformable))
        pli_deformable_begin_sweep(deformable, s->iteration);
}

static void end_sweep(const pli_substep *s, pli_deformable_data *deformable)
{
    // A solved membrane passes momentum to the shapes that support it.
    if (may_have_ghosts(s, deformable) && (is_solved_together(s->world, deformable) || !deformable->membrane ||
                                           !pli_membrane_is_supported(deformable->membrane)))
        pli_deformable_end_sweep(s->world, deformable, pli_deformable_own_step(deformable, s->step), s->iteration);
}

static void iterate_alone(const pli_substep *s, pli_deformable_data *deformable)
{
    sweeping now;
    begin_sweeping(&now, s, deformable);
    begin_sweep(s, deformable);
    iterate(&now, s->iteration);
    bring_to(&now, IN_STORE);
    end_sweep(s, deformable);
}

static void iterate_crowd(const pli_substep *s, pli_crowd *crowd)
{
    const pli_settings *settings = &s->world->settings;
    int32_t count;
    pli_deformable_data *const *members = pli_crowd_members(crowd, &count);
    for (int32_t m = 0; m < count; m++)
        begin_sweep(s, members[m]);
    pli_crowd_sweep(s->world, crowd, s->step, pli_sweeps_before(settings, s->iteration),
                    pli_sweeps_before(settings, s->iteration + 1));
    for (int32_t m = 0; m < count; m++)
        end_sweep(s, members[m]);
}

static void iterate_once(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!deformable->isolated->crowd)
        iterate_alone(s, deformable);
    else if (pli_crowd_is_first(deformable->isolated->crowd, deformable))
        iterate_crowd(s, deformable->isolated->crowd);
}

static void iterate_all(const pli_substep *s, pli_deformable_data *deformable)
{
    const pli_settings *settings = &s->world->settings;
    if (deformable->isolated->crowd) {
        if (pli_crowd_is_first(deformable->isolated->crowd, deformable))
            pli_crowd_sweep(s->world, deformable->isolated->crowd, s->step, 0, pli_sweep_count(settings));
        return;
    }
    sweeping now;
    begin_sweeping(&now, s, deformable);
    bool sets_only = pli_deformable_is_swept_by_sets(s->world, deformable);
    for (int32_t k = 0, sweeps = pli_sweep_count(settings); sets_only && k < sweeps;)
        k += sweep_sets(&now, k, sweeps - k);
    for (int32_t k = 0; !sets_only && k < settings->iterations; k++)
        iterate(&now, k);
    bring_to(&now, IN_STORE);
}

// Where nothing moves a deformable between sweeps, the ghost motion of all sweeps is removed at the end of the substep.
static void mark_moved_between(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        deformable->during.moved_before = deformable->during.moved_between = false;
    }
    for (int32_t i = 0; i < world->attachments.count; i++)
        if (pli_attachment_at(world, i)->rigid && pli_attachment_at(world, i)->count > 0)
            pli_attachment_at(world, i)->deformable->during.moved_between = true;
    pli_step_mark_contacts(world);
}

/* ---- the stage ---------------------------------------------------------------------------------- */

static void prepare_set(const pli_substep *s, pli_constraints_data *set)
{
    pli_world *world = s->world;
    if (!set->type->needs_normals || set->deformable->idle)
        return;
    pli_deformable_update_normals(world, set->deformable, set->deformable->previous);
    pli_projection projection = pli_constraints_projection(
        world, set, pli_deformable_own_step(set->deformable, s->step), (pli_sweep){true, false});
    pli_constraints_prepare(world, set, &projection);
}

static void prepare_sets(const pli_substep *s)
{
    for (int32_t i = 0; i < s->world->sets.count; i++)
        prepare_set(s, pli_constraints_data_at(s->world, i));
}

int64_t pli_deformable_projections(const pli_world *world, const pli_deformable_data *deformable)
{
    int64_t constraints = 0;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        constraints += set->unswept || is_in_membrane(set) ? 0 : set->count;
    return constraints * pli_sweep_count(&world->settings) +
           pli_membrane_constraints(deformable->membrane) * world->settings.iterations;
}

static void count_set_projections(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (!pli_deformable_at(world, i)->idle)
            world->timing.projections += pli_deformable_projections(world, pli_deformable_at(world, i));
}

// Solved membranes do not count as pressed, since their equations contain the load of rigid bodies.
static bool is_pressed(const pli_deformable_data *deformable)
{
    return !deformable->idle && deformable->surface && deformable->surface->load.pressed && !deformable->membrane;
}

// Counts one more sweep over pressed deformables.
static void count_pressed(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (is_pressed(pli_deformable_at(world, i)))
            world->timing.projections += pli_deformable_projections(world, pli_deformable_at(world, i)) /
                                         pli_sweep_count(&world->settings);
}

static void average_set(const pli_substep *s, const pli_constraints_data *set)
{
    if (!set->deformable->idle)
        pli_constraints_average(s->world, set, s->left == s->world->substep_count);
}

static void average_multipliers(const pli_substep *s)
{
    for (int32_t i = 0; i < s->world->sets.count; i++)
        average_set(s, pli_constraints_data_at(s->world, i));
}

void pli_deformable_project_isolated(const pli_substep *s, pli_deformable_data *deformable)
{
    pli_substep now = *s;
    bool together = acts_between_sweeps(s->world);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        prepare_set(s, set);
    if (!together)
        iterate_all(s, deformable);
    for (; together && now.iteration < s->world->settings.iterations; now.iteration++)
        iterate_once(&now, deformable);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        average_set(s, set);
}

/* ---- membranes that surfaces touch ---------------------------------------------------------------- */

static int32_t substep_of(const pli_substep *s) { return s->world->substep_count - s->left; }

static void open_membrane(const pli_substep *s, pli_deformable_data *deformable)
{
    if (is_solved_together(s->world, deformable))
        pli_membrane_open(s->world, deformable, deformable->membrane, pli_deformable_own_step(deformable, s->step),
                          substep_of(s), s->iteration);
}

static void linearise_membrane(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!is_solved_together(s->world, deformable))
        return;
    pli_membrane_linearise(s->world, deformable, deformable->membrane, pli_deformable_own_step(deformable, s->step),
                           substep_of(s), s->iteration);
    pli_membrane_multiply(s->world, deformable->membrane);
}

static void correct_membrane(const pli_substep *s, pli_deformable_data *deformable)
{
    if (!is_solved_together(s->world, deformable))
        return;
    pli_membrane_correct(s->world, deformable->membrane);
    pli_membrane_multiply(s->world, deformable->membrane);
}

static void measure_membrane(const pli_substep *s, pli_deformable_data *deformable)
{
    if (is_solved_together(s->world, deformable))
        pli_membrane_measure(s->world, deformable, deformable->membrane, pli_deformable_own_step(deformable, s->step));
}

static void close_membrane(const pli_substep *s, pli_deformable_data *deformable)
{
    if (is_solved_together(s->world, deformable))
        pli_membrane_close(s->world, deformable, deformable->membrane, pli_deformable_own_step(deformable, s->step),
                           s->iteration);
}

// The membranes that are solved together, by deformable; null if there are none, or if memory ran out, which sets `out_of_memory`.
static pli_membrane **find_together(pli_world *world)
{
    pli_membrane **membranes = NULL;
    int32_t count = 0;
    for (int32_t i = 0; i < world->deformables.count; i++)
        count += !pli_deformable_at(world, i)->idle && is_solved_together(world, pli_deformable_at(world, i));
    if (count > 0) {
        membranes = PLI_TAKE(&world->collision.arena, pli_membrane *, world->deformables.count);
        world->out_of_memory = world->out_of_memory || !membranes;
    }
    for (int32_t i = 0; membranes && i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        membranes[i] = !deformable->idle && is_solved_together(world, deformable) ? deformable->membrane : NULL;
    }
    return membranes;
}

static void solve_membranes(const pli_substep *s, pli_surface_forces *forces)
{
    pli_for_deformables(s, open_membrane);
    pli_surface_forces_begin(forces, s->iteration);
    pli_for_deformables(s, linearise_membrane);
    pli_surface_forces_multiply(forces);
    pli_for_deformables(s, correct_membrane);
    pli_surface_forces_multiply(forces);
    pli_for_deformables(s, measure_membrane);
    pli_surface_forces_update(forces);
    pli_for_deformables(s, close_membrane);
    pli_diagnose(s->world, "the solve of the membranes", NULL, NULL);
}

/* ---- cloth that bodies press --------------------------------------------------------------------- */

// A contact of light cloth with a heavy body transfers at most the momentum of the cloth that the sweeps have drawn into the body. The
// body therefore sinks and stretches the cloth until that momentum balances its load. Each further sweep transfers the same momentum
// again. Pressed cloth is therefore swept until it is no longer pressed, at most this many times beyond the iterations of the settings.
enum { MOST_PRESSED_SWEEPS = 63 };

// Extra sweeps need multipliers that carry over between sweeps, and the schemes of the papers run exactly the stated iterations.
static bool may_sweep_again(const pli_world *world)
{
    return world->order == PLI_ORDER_COLOURED && world->settings.method == PLI_METHOD_XPBD &&
           pli_sweep_count(&world->settings) > 1;
}

static bool any_is_pressed(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (is_pressed(pli_deformable_at(world, i)))
            return true;
    return false;
}

static void iterate_pressed(const pli_substep *s, pli_deformable_data *deformable)
{
    if (is_pressed(deformable))
        iterate_alone(s, deformable);
}

static void iterate_with_contacts(const pli_substep *s, pli_deformable_work work, pli_surface_forces *forces)
{
    pli_world *world = s->world;
    pli_for_deformables(s, work);
    if (forces)
        solve_membranes(s, forces);
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->surface)
            pli_deformable_at(world, i)->surface->load.pressed = false;
    pli_world_project_attachments(world, s->step, s->iteration == 0);
    pli_diagnose(world, "an attachment", NULL, NULL);
    pli_step_project_contacts(s);
    pli_diagnose(world, "a contact", NULL, NULL);
}

void pli_step_project(const pli_substep *s)
{
    pli_world *world = s->world;
    bool together = acts_between_sweeps(world);
    prepare_sets(s);
    mark_moved_between(world);
    if (!together)
        pli_for_deformables(s, iterate_all);
    pli_substep now = *s;
    pli_surface_forces forces;
    pli_membrane **membranes = together ? find_together(world) : NULL;
    pli_surface_forces_reserve(&forces, world, membranes, s->step);
    for (; together && now.iteration < world->settings.iterations; now.iteration++)
        iterate_with_contacts(&now, iterate_once, membranes ? &forces : NULL);
    const int32_t most = may_sweep_again(world) ? world->settings.iterations + MOST_PRESSED_SWEEPS : 0;
    for (; together && now.iteration < most && any_is_pressed(world); now.iteration++) {
        count_pressed(world);
        iterate_with_contacts(&now, iterate_pressed, NULL);
    }
    pli_surface_forces_keep(&forces);
    average_multipliers(s);
    count_set_projections(world);
}
