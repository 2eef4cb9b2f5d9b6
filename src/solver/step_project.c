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
#include "solver/attachment.h"
#include "solver/blame.h"
#include "solver/grid.h"
#include "solver/limit.h"
#include "solver/set.h"
#include "solver/step.h"
#include "solver/surfaces.h"
#include "solver/waves.h"

/* ---- who has the positions ---------------------------------------------------------------------- */

typedef enum layout { IN_STORE, IN_GRID } layout;

// A deformable while it is swept.
typedef struct sweeping {
    const pli_substep *substep;
    pli_body *body;
    layout positions; // Where they are now.
} sweeping;

static void bring_to(sweeping *now, layout wanted)
{
    if (now->positions == wanted)
        return;
    if (wanted == IN_GRID)
        pli_grid_enter(now->substep->world, now->body);
    else
        pli_grid_leave(now->substep->world, now->body);
    now->positions = wanted;
}

// While the cause of a blown-up step is sought, the store is looked at after every part.
static void look(sweeping *now, const char *part, const pli_set *set)
{
    if (!now->substep->world->blame)
        return;
    bring_to(now, IN_STORE);
    pli_blame_look(now->substep->world, part, set);
}

/* ---- what moves them ---------------------------------------------------------------------------- */

static bool acts_between_sweeps(const pli_world *world)
{
    return world->solids.count > 0 || world->rigids.count > 0 || pli_world_has_surfaces(world);
}

bool pli_body_is_swept_by_sets(const pli_world *world, const pli_body *body)
{
    return !acts_between_sweeps(world) && !pli_body_has_levels(body) && !pli_body_has_tethers(body);
}

/* ---- one sweep ---------------------------------------------------------------------------------- */

static void sweep_set(sweeping *now, pli_set *set, pli_sweep which)
{
    pli_world *world = now->substep->world;
    float step = now->substep->step;
    if (which.first)
        set->projection = pli_set_projection(world, set, step, which);
    bring_to(now, set->runs ? IN_GRID : IN_STORE);
    pli_set_project(world, set, &set->projection);
    look(now, "a constraint", set);
    if (which.first && world->settings.iterations > 1)
        set->projection = pli_set_projection(world, set, step, (pli_sweep){false, which.last_substep});
}

// One sweep over the sets, or up to `most` where wavefronts run several at once over all of them; returns how many.
static int32_t sweep_sets(sweeping *now, pli_sweep which, int32_t most)
{
    pli_world *world = now->substep->world;
    int32_t sweeps = 1;
    for (pli_set *set = now->body->first_set; set;) {
        pli_waves *waves = pli_waves_from(world, set, most);
        if (waves) {
            sweeps = pli_waves_project(world, waves, now->substep->step, which);
            set = pli_waves_behind(waves);
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
    pli_sweep which = {iteration == 0, s->left == 1};
    if (pli_body_has_levels(now->body)) {
        bring_to(now, pli_limit_levels_in_grid(now->body) ? IN_GRID : IN_STORE);
        pli_limit_project_levels(s->world, now->body);
        look(now, "the limit of stretch", NULL);
    }
    int32_t sweeps = sweep_sets(now, which, most);
    if (pli_body_has_tethers(now->body)) {
        bring_to(now, now->body->limit->rows ? IN_GRID : IN_STORE);
        pli_limit_project_tethers(s->world, now->body, s->step, which);
        look(now, "the limit of stretch", NULL);
    }
    return sweeps;
}

static void sweep_once(const pli_substep *s, pli_body *body)
{
    sweeping now = {s, body, IN_STORE};
    sweep(&now, s->iteration, 1);
    bring_to(&now, IN_STORE);
}

static void sweep_all(const pli_substep *s, pli_body *body)
{
    sweeping now = {s, body, IN_STORE};
    int32_t sweeps = s->world->settings.iterations;
    bool sets_only = pli_body_is_swept_by_sets(s->world, body);
    for (int32_t done = 0; done < sweeps;)
        done += sweep(&now, done, sets_only ? sweeps - done : 1);
    bring_to(&now, IN_STORE);
}

/* ---- the stage ---------------------------------------------------------------------------------- */

static void prepare_sets(const pli_substep *s)
{
    pli_world *world = s->world;
    for (int32_t i = 0; i < world->sets.count; i++) {
        pli_set *set = pli_set_at(world, i);
        if (!set->type->needs_normals)
            continue;
        pli_body_update_normals(world, set->body, set->body->previous);
        pli_projection projection = pli_set_projection(world, set, s->step, (pli_sweep){true, s->left == 1});
        pli_set_prepare(world, set, &projection);
    }
}

static void count_projections(pli_world *world)
{
    int64_t count = 0;
    for (int32_t i = 0; i < world->sets.count; i++)
        count += pli_set_at(world, i)->count;
    for (int32_t i = 0; i < world->bodies.count; i++)
        count += pli_limit_projections(pli_body_at(world, i));
    world->projections += count * world->settings.iterations;
}

void pli_step_project(const pli_substep *s)
{
    pli_world *world = s->world;
    bool together = acts_between_sweeps(world);
    prepare_sets(s);
    if (!together)
        pli_for_bodies(s, sweep_all);
    pli_substep now = *s;
    for (; together && now.iteration < world->settings.iterations; now.iteration++) {
        pli_for_bodies(&now, sweep_once);
        pli_world_project_ropes(world);
        pli_blame_look(world, "the limit of stretch", NULL);
        pli_world_project_ties(world, s->step, now.iteration == 0);
        pli_step_project_contacts(s);
        pli_blame_look(world, "a contact", NULL);
    }
    count_projections(world);
}
