// Isolated deformables (step/isolated.h): boxes over the step, of deformables and colliders, in a bounding volume hierarchy; and their
// substeps.
#include "step/isolated.h"

#include "step/extent.h"
#include "base/timer.h"
#include "particles/contact_pool.h"
#include "step/diagnose.h"
#include "step/step_collision.h"
#include "sweep/crowd.h"
#include "step/moving_out.h"

// Boxes cover a step that is longer by this factor, since constraints may increase speeds.
static const float farther = 1.5f;
// Boxes grow by this fraction of their longest side, since constraints may move cloth at rest.
static const double slack_share = 0.01;
// Contacts are made up to at most this fraction of a thickness beyond the thickness.
static const double near_share = (double)PLI_RIGID_NEAR_SHARE - 1.0;
// Coordinates are rounded to floats for the hierarchy, so its boxes grow by this fraction of the coordinates.
static const float rounding = 1e-6f;

static bool may_be_isolated(const pli_deformable_data *deformable)
{
    return !deformable->idle && deformable->count > 0 && deformable->count <= PLI_PARTICLE_GRAIN &&
           !deformable->def.self_collision && !deformable->first_attachment && !deformable->moving_out->before;
}

// Applications that act in each substep, and the bodies that they move, must see all deformables at the same time. The state
// before the step, which may have to be restored, is relative to the previous origin.
static bool any_may_be_isolated(const pli_world *world)
{
    const pli_dvec3 moves = pli_dsub(world->origins.next, world->origin);
    int32_t count = 0;
    if (world->callbacks.substep || world->tracing.callback || world->rigids.count > 0 || pli_ddot(moves, moves) > 0.0)
        return false;
    for (int32_t i = 0; i < world->deformables.count; i++)
        count += may_be_isolated(pli_deformable_at(world, i));
    return count > 0;
}

typedef struct bounding {
    pli_world *world;
    float dt;
} bounding;

static void bound_one(void *data, int32_t i)
{
    const bounding *b = data;
    pli_deformable_data *deformable = pli_deformable_at(b->world, i);
    if (deformable->idle)
        return;
    pli_extent e = pli_extent_of(b->world, deformable, farther * b->dt);
    const pli_dvec3 sides = pli_dsub(e.high, e.low);
    double slack = slack_share * fmax(sides.x, fmax(sides.y, sides.z));
    pli_extent_widen(&e, slack + near_share * (double)deformable->thickness);
    deformable->isolated->low = e.low, deformable->isolated->high = e.high;
}

static pli_extent extent_of(const pli_deformable_data *deformable)
{
    return (pli_extent){deformable->isolated->low, deformable->isolated->high, deformable->def.layers,
                        deformable->def.mask};
}

static float outward(double at, float sign)
{
    float rounded = (float)at;
    return rounded + sign * rounding * (1.0f + fabsf(rounded));
}

static pli_swept_box box_of(const pli_world *world, const pli_extent *e)
{
    pli_dvec3 low = pli_dsub(e->low, world->origin), high = pli_dsub(e->high, world->origin);
    pli_aabb box = {{outward(low.x, -1.0f), outward(low.y, -1.0f), outward(low.z, -1.0f)},
                    {outward(high.x, 1.0f), outward(high.y, 1.0f), outward(high.z, 1.0f)}};
    return (pli_swept_box){box, box};
}

// Whether the box is above a resting plane.
static bool is_above(const pli_collider_data *plane, const pli_extent *e)
{
    pli_vec3 up = pli_rotate(plane->def.pose.rotation, (pli_vec3){0.0f, 1.0f, 0.0f});
    pli_dvec3 lowest = {up.x > 0.0f ? e->low.x : e->high.x, up.y > 0.0f ? e->low.y : e->high.y,
                        up.z > 0.0f ? e->low.z : e->high.z};
    double above = pli_ddot(pli_widened(up), pli_dsub(lowest, pli_widened(plane->def.pose.position)));
    return above > (1.0 + near_share) * (double)plane->def.thickness;
}

static bool is_resting_plane(const pli_collider_data *collider)
{
    return collider->def.shape == PLI_SHAPE_PLANE && !pli_collider_moves(collider);
}

typedef struct company {
    const pli_world *world;
    pli_extent extent;
    int32_t number; // The index of the deformable.
    bool meets;
} company;

static bool may_touch(const pli_extent *e, uint32_t layers, uint32_t mask)
{
    return pli_layers_meet(e->layers, e->mask, layers, mask);
}

static bool found_leaf(void *data, int32_t leaf)
{
    company *c = data;
    if (leaf == c->number)
        return true;
    int32_t deformables = c->world->deformables.count;
    const pli_deformable_def *other = leaf < deformables ? &pli_deformable_at(c->world, leaf)->def : NULL;
    const pli_collider_def *collider = other ? NULL : &pli_collider_at(c->world, leaf - deformables)->def;
    c->meets = c->meets || (other ? may_touch(&c->extent, other->layers, other->mask)
                                  : may_touch(&c->extent, collider->layers, collider->mask));
    return !c->meets;
}

static bool fill_tree(pli_world *world, float dt)
{
    int32_t deformables = world->deformables.count;
    pli_bvh16 *tree = &world->during.isolated.tree;
    const pli_swept_box empty = pli_swept_box_empty();
    if (!pli_bvh16_reserve(&world->memory, tree, deformables + world->colliders.count))
        return false;
    for (int32_t i = 0; i < deformables; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        const pli_extent e = extent_of(deformable);
        const pli_swept_box box = deformable->idle ? empty : box_of(world, &e);
        pli_bvh16_set(tree, i, &box);
    }
    for (int32_t i = 0; i < world->colliders.count; i++) {
        const pli_collider_data *collider = pli_collider_at(world, i);
        pli_extent e = pli_extent_of_collider(world, collider, dt);
        pli_extent_widen(&e, near_share * (double)collider->def.thickness);
        const pli_swept_box box = is_resting_plane(collider) ? empty : box_of(world, &e);
        pli_bvh16_set(tree, deformables + i, &box);
    }
    pli_bvh16_refit(tree, world->tasks);
    return true;
}

static void mark_one(void *data, int32_t i)
{
    const bounding *b = data;
    pli_world *world = b->world;
    pli_deformable_data *deformable = pli_deformable_at(world, i);
    if (!may_be_isolated(deformable))
        return;
    company c = {.world = world, .extent = extent_of(deformable), .number = i};
    const pli_swept_box box = box_of(world, &c.extent);
    for (int32_t k = 0; k < world->colliders.count && !c.meets; k++) {
        const pli_collider_data *collider = pli_collider_at(world, k);
        c.meets = is_resting_plane(collider) && may_touch(&c.extent, collider->def.layers, collider->def.mask) &&
                  !is_above(collider, &c.extent);
    }
    if (!c.meets)
        pli_bvh16_query(&world->during.isolated.tree, world->kernels->near, &box, 0, found_leaf, &c);
    deformable->isolated->active = !c.meets;
}

static bool any_isolated(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->isolated->active)
            return true;
    return false;
}

static void forget_isolated(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_at(world, i)->isolated->active = false;
}

static bool choose_isolated(pli_world *world, float dt)
{
    bounding b = {world, dt};
    forget_isolated(world);
    if (!any_may_be_isolated(world))
        return true;
    pli_tasks_run(world->tasks, world->deformables.count, bound_one, &b);
    if (!fill_tree(world, dt))
        return false;
    pli_tasks_run(world->tasks, world->deformables.count, mark_one, &b);
    return true;
}

static bool holds(const pli_world *world, const pli_deformable_data *deformable, const pli_particle *particles)
{
    pli_aabb box = pli_aabb_of(particles, deformable->count);
    double margin = (1.0 + near_share) * (double)deformable->thickness;
    pli_dvec3 low = pli_dsub(pli_dadd(pli_widened(box.low), world->origin), deformable->isolated->low);
    pli_dvec3 high = pli_dsub(deformable->isolated->high, pli_dadd(pli_widened(box.high), world->origin));
    return low.x >= margin && low.y >= margin && low.z >= margin && high.x >= margin && high.y >= margin &&
           high.z >= margin;
}

static bool is_within(const pli_world *world, const pli_deformable_data *deformable)
{
    return holds(world, deformable, deformable->particles);
}

static bool others_are_within(const pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->idle && !deformable->isolated->active && !is_within(world, deformable))
            return false;
    }
    return true;
}

/* ---- substeps ----------------------------------------------------------------------------------- */

// Substeps of isolated deformables: `count` complete substeps, and of the next substep the stages up to the prediction
// (`predicts`), or also the projections (`projects`).
typedef struct isolated_run {
    const pli_substep *step; // The first substep.
    int32_t count;
    bool predicts,
        projects;  // Whether to start the next substep, and whether to run it up to the guarantee.
    int32_t *ends; // [deformables] substeps done within its box; null if boxes are not checked.
} isolated_run;

// A deformable alone, or the members of a crowd.
typedef struct deformable_group {
    pli_deformable_data *const *members;
    int32_t count;
} deformable_group;

static deformable_group isolated_group_of(pli_deformable_data *const *deformable)
{
    deformable_group all = {deformable, 1};
    if ((*deformable)->isolated->crowd)
        all.members = pli_crowd_members((*deformable)->isolated->crowd, &all.count);
    return all;
}

static void predict_all(const pli_substep *s, deformable_group all)
{
    for (int32_t m = 0; m < all.count; m++)
        pli_step_predict_deformable(s, all.members[m]);
}

static void project_all(const pli_substep *s, deformable_group all)
{
    for (int32_t m = 0; m < all.count; m++)
        all.members[m]->during.moved_before = all.members[m]->during.moved_between = false;
    pli_deformable_project_isolated(s, all.members[0]);
    for (int32_t m = 0; m < all.count; m++)
        pli_step_derive_deformable(s, all.members[m]);
}

static bool are_within(const isolated_run *r, deformable_group all)
{
    bool within = true;
    for (int32_t m = 0; r->ends && within && m < all.count; m++)
        within = is_within(r->step->world, all.members[m]);
    return within;
}

// Returns the substeps done before one of the deformables left its box.
static int32_t run_isolated_substeps(const isolated_run *r, deformable_group all)
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

static void begin_run(const isolated_run *r, pli_deformable_data *deformable)
{
    for (int32_t chunk = 0; chunk < deformable->pool->chunk_count; chunk++)
        deformable->pool->counts[chunk] = 0;
    if (!r->ends)
        pli_deformable_restore_state(deformable);
}

static void run_group(void *data, int32_t i)
{
    const isolated_run *r = data;
    pli_deformable_data *deformable = pli_deformable_at(r->step->world, i);
    if (!deformable->isolated->active ||
        (deformable->isolated->crowd && !pli_crowd_is_first(deformable->isolated->crowd, deformable)))
        return;
    const deformable_group all = isolated_group_of(&deformable);
    bool before = pli_tasks_mark(true);
    double start = pli_seconds();
    for (int32_t m = 0; m < all.count; m++)
        begin_run(r, all.members[m]);
    int32_t done = run_isolated_substeps(r, all);
    for (int32_t m = 0; r->ends && m < all.count; m++)
        r->ends[all.members[m]->number] = done;
    deformable->during.seconds = (pli_seconds() - start) / (double)(r->count > 0 ? r->count : 1);
    pli_tasks_mark(before);
}

static void set_idle(const pli_world *world, bool idle)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->isolated->active)
            pli_deformable_at(world, i)->idle = idle;
}

static void count_isolated_projections(pli_world *world, int64_t substeps)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->isolated->active)
            world->timing.projections += substeps * pli_deformable_projections(world, pli_deformable_at(world, i));
}

// Runs isolated deformables through the step. Returns the substep in which the first of them left its box, or the number of
// substeps. Until then the other deformables ignore them.
static int32_t run_isolated(const pli_substep *first)
{
    pli_world *world = first->world;
    int32_t end = first->left;
    if (!any_isolated(world))
        return end;
    const pli_arena_scope scope = pli_arena_begin(&world->collision.arena);
    isolated_run r = {first, end, false, false, PLI_TAKE(&world->collision.arena, int32_t, world->deformables.count)};
    world->out_of_memory = !r.ends;
    if (r.ends)
        pli_tasks_run(world->tasks, world->deformables.count, run_group, &r);
    for (int32_t i = 0; r.ends && i < world->deformables.count; i++)
        if (pli_deformable_at(world, i)->isolated->active && r.ends[i] < end)
            end = r.ends[i];
    pli_arena_end(&world->collision.arena, scope);
    set_idle(world, true);
    return end;
}

// Brings all isolated deformables to the state of the others, after the prediction of the substep or before the guarantee.
// From there on they take part in all stages.
static void join_isolated(const pli_substep *s, bool projects)
{
    pli_world *world = s->world;
    pli_substep first = *s;
    first.left = world->substep_count;
    const isolated_run r = {&first, first.left - s->left, true, projects, NULL};
    set_idle(world, false);
    pli_tasks_run(world->tasks, world->deformables.count, run_group, (void *)&r);
    count_isolated_projections(world, r.count + projects);
    forget_isolated(world);
    if (!pli_world_gather_again(world) || !pli_step_reserve_wavefronts(world))
        world->out_of_memory = true;
    else if (projects)
        pli_world_search_again(world, s->step, s->left);
}

/* ---- the step ----------------------------------------------------------------------------------- */

bool pli_world_choose_isolated(pli_world *world, float dt)
{
    return choose_isolated(world, dt) && pli_world_find_crowds(world, dt / (float)world->substep_count);
}

pli_isolated_state pli_isolated_begin(const pli_substep *first)
{
    pli_world *world = first->world;
    if (world->tracing.diagnosis) {
        forget_isolated(world);
        pli_world_forget_crowds(world);
    }
    const int32_t leaves = run_isolated(first);
    return (pli_isolated_state){any_isolated(world), leaves};
}

// Whether no substep work remains after the substeps of isolated deformables.
static bool is_done(const pli_world *world)
{
    bool done = !world->callbacks.substep && world->colliders.count == 0 && world->rigids.count == 0;
    for (int32_t i = 0; i < world->deformables.count && done; i++)
        done = pli_deformable_at(world, i)->idle;
    return done;
}

bool pli_isolated_are_all(const pli_isolated_state *state, const pli_world *world)
{
    return state->any && state->leaves == world->substep_count && is_done(world);
}

bool pli_isolated_meet(pli_isolated_state *state, const pli_substep *s, pli_stage stage)
{
    const bool predicted = stage == PLI_STAGE_PREDICT, guaranteed = stage == PLI_STAGE_CCD;
    if (!state->any || !(predicted || guaranteed || stage == PLI_STAGE_FRICTION))
        return false;
    if (state->leaves != pli_substep_number(s) && others_are_within(s->world))
        return false;
    join_isolated(s, !predicted);
    state->any = false;
    return guaranteed;
}

void pli_isolated_end(pli_world *world)
{
    set_idle(world, false);
    count_isolated_projections(world, world->substep_count);
    pli_crowds_divide_seconds(world);
}

const pli_feature pli_feature_isolated = {
    .name = "isolated runs",
    PLI_FEATURE_STATE(pli_isolated, isolated),
};
