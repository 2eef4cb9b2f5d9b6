// The project stage: n sweeps over everything that moves positions, Mueller et al. 2006, Algorithm 1, lines 9 to 11.
//
//     for each sweep
//         for each deformable            threads share them, or the work of each
//             levels                     coarse to fine; stretch limit "hierarchy"
//             constraint sets            in order of creation
//             tethers                    stretch limit "attachments"
//         tethers to rigid bodies, attachments to rigid bodies, contacts
//
// Nothing but its own constraints moves a deformable within a sweep, so its positions may lie where these run fastest.
// `bring_to` is the one place where they change hands between the world's store and a grid's layout: a sweep begins
// and ends with them in the store. Where nothing acts between sweeps (no collider, no rigid body, no surfaces), a
// deformable goes through all sweeps of the substep at once and stays in its layout meanwhile.
#include "grid/grid_layout.h"
#include "particles/ghost_motion.h"
#include "particles/normals_wind.h"
#include "rigid/coupling/rigid_attachment.h"
#include "schedule/wavefront.h"
#include "stretch/stretch_limit.h"
#include "stretch/stretch_tethers.h"
#include "world/attachment.h"
#include "world/constraint_set.h"
#include "world/diagnose.h"
#include "world/step.h"
#include "world/step_collision.h"

/* ---- who has the positions ---------------------------------------------------------------------- */

typedef enum layout { IN_STORE, IN_GRID } layout;

// A deformable during its sweeps.
typedef struct sweeping {
    const pli_substep *substep;
    pli_deformable_data *deformable;
    layout positions; // The layout that holds the positions now.
} sweeping;

static void bring_to(sweeping *now, layout wanted)
{
    if (now->positions == wanted)
        return;
    if (wanted == IN_GRID)
        pli_grid_enter(now->substep->world, now->deformable);
    else
        pli_grid_leave(now->substep->world, now->deformable);
    now->positions = wanted;
}

// During a diagnosis the store is tested after every part.
static void diagnose_after(sweeping *now, const char *part, const pli_constraint_set_data *set)
{
    if (!now->substep->world->diagnosis)
        return;
    bring_to(now, IN_STORE);
    pli_diagnose(now->substep->world, part, set);
}

/* ---- what moves them ---------------------------------------------------------------------------- */

static bool acts_between_sweeps(const pli_world *world)
{
    return world->colliders.count > 0 || world->rigids.count > 0 || pli_world_has_surfaces(world);
}

bool pli_deformable_is_swept_by_sets(const pli_world *world, const pli_deformable_data *deformable)
{
    return !acts_between_sweeps(world) && !pli_deformable_has_levels(deformable) &&
           !pli_deformable_has_tethers(deformable);
}

/* ---- one sweep ---------------------------------------------------------------------------------- */

static void sweep_set(sweeping *now, pli_constraint_set_data *set, pli_sweep which)
{
    pli_world *world = now->substep->world;
    float step = now->substep->step;
    if (which.first)
        set->projection = pli_constraint_set_projection(world, set, step, which);
    bring_to(now, set->runs ? IN_GRID : IN_STORE);
    pli_constraint_set_project(world, set, &set->projection);
    diagnose_after(now, "a constraint", set);
    if (which.first && world->settings.iterations > 1)
        set->projection = pli_constraint_set_projection(world, set, step, (pli_sweep){false});
}

// One sweep over the sets, or up to `most` where wavefronts run several at once over all sets; returns how many.
static int32_t sweep_sets(sweeping *now, pli_sweep which, int32_t most)
{
    pli_world *world = now->substep->world;
    int32_t sweeps = 1;
    for (pli_constraint_set_data *set = now->deformable->first_set; set;) {
        pli_wavefronts *wavefronts = pli_wavefronts_from(world, set, most);
        if (wavefronts) {
            sweeps = pli_wavefronts_project(world, wavefronts, now->substep->step, which);
            set = pli_wavefronts_behind(wavefronts);
        } else {
            sweep_set(now, set, which);
            set = set->next;
        }
    }
    return sweeps;
}

static int32_t sweep(sweeping *now, int32_t iteration, int32_t most)
{
    const pli_substep *s = now->substep;
    pli_sweep which = {iteration == 0};
    if (pli_deformable_has_levels(now->deformable)) {
        bring_to(now, pli_limit_levels_in_grid(now->deformable) ? IN_GRID : IN_STORE);
        pli_limit_project_levels(s->world, now->deformable);
        diagnose_after(now, "the limit of stretch", NULL);
    }
    int32_t sweeps = sweep_sets(now, which, most);
    if (pli_deformable_has_tethers(now->deformable)) {
        bring_to(now, now->deformable->limit->rows ? IN_GRID : IN_STORE);
        pli_limit_project_tethers(s->world, now->deformable, s->step, which);
        diagnose_after(now, "the limit of stretch", NULL);
    }
    return sweeps;
}

static void sweep_once(const pli_substep *s, pli_deformable_data *deformable)
{
    sweeping now = {s, deformable, IN_STORE};
    bool ghosts = deformable->moved_between && pli_deformable_has_ghosts(s->world, deformable);
    if (ghosts)
        pli_deformable_begin_sweep(deformable, s->iteration);
    sweep(&now, s->iteration, 1);
    bring_to(&now, IN_STORE);
    if (ghosts)
        pli_deformable_end_sweep(s->world, deformable, s->step, s->iteration);
}

static void sweep_all(const pli_substep *s, pli_deformable_data *deformable)
{
    sweeping now = {s, deformable, IN_STORE};
    int32_t sweeps = s->world->settings.iterations;
    bool sets_only = pli_deformable_is_swept_by_sets(s->world, deformable);
    for (int32_t done = 0; done < sweeps;)
        done += sweep(&now, done, sets_only ? sweeps - done : 1);
    bring_to(&now, IN_STORE);
}

// Where nothing moves a deformable between sweeps, the ghost of the whole substep is taken out at its end.
static void mark_moved_between(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        deformable->moved_before = false;
        deformable->moved_between = deformable->limit && deformable->limit->rigid_tether_count > 0;
    }
    for (int32_t i = 0; i < world->attachments.count; i++)
        if (pli_attachment_at(world, i)->rigid)
            pli_attachment_at(world, i)->deformable->moved_between = true;
    pli_step_mark_contacts(world);
}

/* ---- the stage ---------------------------------------------------------------------------------- */

static void prepare_sets(const pli_substep *s)
{
    pli_world *world = s->world;
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_constraint_set_data *set = pli_constraint_set_data_at(world, i);
        if (!set->type->needs_normals)
            continue;
        pli_deformable_update_normals(world, set->deformable, set->deformable->previous);
        pli_projection projection = pli_constraint_set_projection(world, set, s->step, (pli_sweep){true});
        pli_constraint_set_prepare(world, set, &projection);
    }
}

static void count_projections(pli_world *world)
{
    int64_t count = 0;
    for (int32_t i = 0; i < world->sets.count; i++)
        count += pli_constraint_set_data_at(world, i)->count;
    for (int32_t i = 0; i < world->deformables.count; i++)
        count += pli_limit_projections(pli_deformable_at(world, i));
    world->projections += count * world->settings.iterations;
}

static void average_multipliers(const pli_substep *s)
{
    for (int32_t i = 0; i < s->world->sets.count; i++)
        pli_constraint_set_average(s->world, pli_constraint_set_data_at(s->world, i),
                                   s->left == s->world->settings.substeps);
}

void pli_step_project(const pli_substep *s)
{
    pli_world *world = s->world;
    bool together = acts_between_sweeps(world);
    prepare_sets(s);
    mark_moved_between(world);
    if (!together)
        pli_for_deformables(s, sweep_all);
    pli_substep now = *s;
    for (; together && now.iteration < world->settings.iterations; now.iteration++) {
        pli_for_deformables(&now, sweep_once);
        pli_world_project_rigid_tethers(world);
        pli_diagnose(world, "the limit of stretch", NULL);
        pli_world_project_attachments(world, s->step, now.iteration == 0);
        pli_step_project_contacts(s);
        pli_diagnose(world, "a contact", NULL);
    }
    average_multipliers(s);
    count_projections(world);
}
