// Finds crowds before each step, and sweeps them by runs: a run is one constraint of all members.
#include "sweep/crowd.h"

#include "base/hash.h"
#include "base/sort.h"
#include "constraints/registry.h"
#include "sweep/crowd_kernels.h"
#include "particles/history.h"
#include "particles/integrate.h"
#include "sweep/constraint_slots.h"
#include "sweep/sweep.h"

#include <string.h>

// Fewer members than this are swept alone: with six, a step takes as long either way.
enum { LEAST_MEMBERS = 8 };

// A constraint set of all members. Arrays have PLI_CROWD_MEMBERS entries for each constraint, and are null where the set's are.
typedef struct crowd_set {
    const pli_constraints_data *leading; // The set of the first member.
    pli_project project;
    pli_slot_run *runs; // [leading->count] in the order of the schedule.
    float *rest[PLI_REST_MAX], *compliance_scale, *damping_scale, *lambda[3];
    pli_projection projection; // Arguments of the next sweep.
} crowd_set;

struct pli_crowd {
    pli_deformable_data *members[PLI_CROWD_MEMBERS];
    int32_t count, set_count;
    crowd_set *sets;      // In order of creation.
    pli_soa at, previous; // Columns; `previous` is null unless damping reads it.
    pli_crowd_copy copy;
};

static pli_project crowd_project_of(const pli_world *world, const pli_constraints_data *set)
{
    const pli_constraint_row *row =
        set->row ? world->kernels->types_in_runs().rows[pli_constraint_type_index(set->type->name)] : NULL;
    return row ? row->project : NULL;
}

// Whether kernels for runs can project the set, whose slots never change.
static bool may_be_shared(const pli_world *world, const pli_constraints_data *set)
{
    return set->unswept || (crowd_project_of(world, set) && set->type->cardinality > 0 && !set->runs && !set->tiles &&
                            !set->links && !set->state && !set->mean[0] && !set->type->needs_normals);
}

static bool may_join(const pli_world *world, const pli_deformable_data *deformable, float step)
{
    bool joins = !deformable->idle && deformable->count > 0 && deformable->count <= PLI_PARTICLE_GRAIN &&
                 deformable->first_set && !deformable->membrane && !deformable->history &&
                 !pli_deformable_keeps_losses(deformable, step);
    for (const pli_constraints_data *set = deformable->first_set; set && joins; set = set->next)
        joins = may_be_shared(world, set);
    return joins;
}

/* ---- equal deformables --------------------------------------------------------------------------- */

// Hash of a set's schedule, which never changes for sets without links.
static uint64_t structure_of(pli_constraints_data *set)
{
    if (set->structure)
        return set->structure;
    uint64_t hash = pli_hash_mix(PLI_HASH_START, (uint64_t)set->colour_count);
    for (int32_t c = 0; c < set->colour_count; c++) {
        hash = pli_hash_mix(hash, (uint64_t)set->colour_sizes[c]);
        for (int32_t k = 0; k < set->type->cardinality; k++)
            hash = pli_hash_bytes(hash, set->index[k] + set->colour_offsets[c],
                                  (size_t)set->colour_sizes[c] * sizeof *set->index[k]);
    }
    set->structure = hash ? hash : 1;
    return set->structure;
}

static uint64_t key_of_set(pli_constraints_data *set)
{
    const uint32_t arrays = (uint32_t)(set->compliance_scale != NULL) | (uint32_t)(set->damping != NULL) << 1 |
                            (uint32_t)(set->lambda[0] != NULL) << 2 | (uint32_t)set->unswept << 3 |
                            (uint32_t)(pli_constraints_painted_scales(set) != NULL) << 4;
    uint64_t hash = pli_hash_mix(structure_of(set), (uint64_t)pli_constraint_type_index(set->type->name));
    hash = pli_hash_mix(pli_hash_mix(hash, arrays), set->zero_rest);
    hash = pli_hash_bytes(hash, set->parameters, sizeof set->parameters);
    return pli_hash_bytes(hash, set->own, sizeof set->own);
}

static uint64_t crowd_key(const pli_deformable_data *deformable)
{
    uint64_t hash = pli_hash_mix(PLI_HASH_START, (uint64_t)deformable->count << 1 | deformable->isolated->active);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        hash = pli_hash_mix(hash, key_of_set(set));
    return hash;
}

typedef struct crowd_finding {
    pli_world *world;
    float step;
    pli_sort_item *items;
    int32_t count;
    pli_crowd *crowds;
} crowd_finding;

enum { FIND_GRAIN = 64 };

static void find_keys(void *data, int32_t chunk)
{
    const crowd_finding *f = data;
    const int32_t all = f->world->deformables.count;
    for (int32_t i = chunk * FIND_GRAIN; i < all && i < (chunk + 1) * FIND_GRAIN; i++) {
        pli_deformable_data *deformable = pli_deformable_at(f->world, i);
        const bool joins = may_join(f->world, deformable, f->step);
        f->items[i] = (pli_sort_item){joins ? crowd_key(deformable) : 0, joins ? i : -1};
    }
}

// Sizes that indices depend on are compared as well as hashes, so that equal hashes of different deformables are harmless.
static bool have_equal_sizes(const pli_deformable_data *a, const pli_deformable_data *b)
{
    const pli_constraints_data *one = a->first_set, *other = b->first_set;
    for (; one && other && one->type == other->type && one->count == other->count &&
           one->colour_count == other->colour_count && one->slot_count == other->slot_count;
         one = one->next, other = other->next)
        continue;
    return a->count == b->count && !one && !other;
}

/* ---- arrays of a crowd --------------------------------------------------------------------------- */

static float *take_columns(pli_world *world, int32_t count)
{
    return PLI_TAKE(&world->crowd_arena, float, PLI_CROWD_MEMBERS *(int64_t)count);
}

static bool take_soa(pli_world *world, pli_soa *columns, int32_t count, bool masses)
{
    columns->x = take_columns(world, count), columns->y = take_columns(world, count);
    columns->z = take_columns(world, count), columns->w = masses ? take_columns(world, count) : NULL;
    return columns->x && columns->y && columns->z && (!masses || columns->w);
}

// Takes an array for a set if the set has one.
static bool take_like(pli_world *world, float **to, const float *like, int32_t count)
{
    *to = like ? take_columns(world, count) : NULL;
    return !like || *to;
}

static bool crowd_take_set(pli_world *world, crowd_set *to, const pli_constraints_data *set)
{
    const int32_t count = set->count;
    *to = (crowd_set){.leading = set,
                      .project = crowd_project_of(world, set),
                      .runs = PLI_TAKE(&world->crowd_arena, pli_slot_run, count)};
    bool complete = to->runs && take_like(world, &to->compliance_scale, set->compliance_scale, count) &&
                    take_like(world, &to->damping_scale, set->damping, count);
    for (int32_t j = 0; j < PLI_REST_MAX && complete; j++)
        complete = take_like(world, &to->rest[j], set->rest[j], count);
    for (int32_t d = 0; d < 3 && complete; d++)
        complete = take_like(world, &to->lambda[d], set->lambda[d], count);
    return complete;
}

static bool take_arrays(pli_world *world, pli_crowd *crowd)
{
    const pli_deformable_data *first = crowd->members[0];
    bool damped = false;
    for (const pli_constraints_data *set = first->first_set; set; set = set->next) {
        crowd->set_count += !set->unswept;
        damped = damped || (!set->unswept && pli_constraints_reads_bases(world, set));
    }
    crowd->sets = PLI_TAKE(&world->crowd_arena, crowd_set, crowd->set_count);
    bool complete = crowd->sets && take_soa(world, &crowd->at, first->count, true) &&
                    (!damped || take_soa(world, &crowd->previous, first->count, false));
    int32_t n = 0;
    for (const pli_constraints_data *set = first->first_set; set && complete; set = set->next)
        complete = set->unswept || crowd_take_set(world, &crowd->sets[n++], set);
    return complete;
}

// Lanes without a member repeat the first one.
static const pli_deformable_data *member_of(const pli_crowd *crowd, int32_t lane)
{
    return crowd->members[lane < crowd->count ? lane : 0];
}

// Copies an array of one member's set into its lane, in the order of the runs.
static void crowd_fill_lane(float *to, const pli_constraints_data *set, const float *from)
{
    for (int32_t c = 0; c < set->colour_count && to; c++)
        for (int32_t i = 0; i < set->colour_sizes[c]; i++, to += PLI_CROWD_MEMBERS)
            *to = from[set->colour_offsets[c] + i];
}

static void fill_lanes(const crowd_set *to, const pli_constraints_data *set, int32_t lane)
{
    for (int32_t j = 0; j < PLI_REST_MAX; j++)
        crowd_fill_lane(to->rest[j] ? to->rest[j] + lane : NULL, set, set->rest[j]);
    crowd_fill_lane(to->compliance_scale ? to->compliance_scale + lane : NULL, set, set->compliance_scale);
    crowd_fill_lane(to->damping_scale ? to->damping_scale + lane : NULL, set, set->damping);
}

static void crowd_fill_runs(const crowd_set *to)
{
    const pli_constraints_data *set = to->leading;
    for (int32_t c = 0, n = 0; c < set->colour_count; c++)
        for (int32_t i = 0; i < set->colour_sizes[c]; i++, n++) {
            to->runs[n] = (pli_slot_run){.slot = PLI_CROWD_MEMBERS * n, .count = PLI_CROWD_MEMBERS};
            for (int32_t k = 0; k < set->type->cardinality; k++)
                to->runs[n].at[k] = PLI_CROWD_MEMBERS * pli_index_place(set->index[k][set->colour_offsets[c] + i]);
        }
}

static void fill_crowd(void *data, int32_t number)
{
    const crowd_finding *f = data;
    pli_crowd *crowd = &f->crowds[number];
    for (int32_t lane = 0; lane < PLI_CROWD_MEMBERS; lane++) {
        const pli_deformable_data *member = member_of(crowd, lane);
        crowd->copy.firsts[lane] = pli_index_of(member->first);
        int32_t n = 0;
        for (const pli_constraints_data *set = member->first_set; set; set = set->next)
            if (!set->unswept)
                fill_lanes(&crowd->sets[n++], set, lane);
    }
    crowd->copy.count = crowd->members[0]->count;
    for (int32_t n = 0; n < crowd->set_count; n++)
        crowd_fill_runs(&crowd->sets[n]);
}

/* ---- crowds of a step ---------------------------------------------------------------------------- */

// Gathers the next members with equal keys, from item `begin` on. Returns the item after them.
static int32_t crowd_gather(const crowd_finding *f, int32_t begin, pli_crowd *crowd)
{
    int32_t i = begin;
    *crowd = (pli_crowd){.count = 0};
    for (; i < f->count && crowd->count < PLI_CROWD_MEMBERS && f->items[i].key == f->items[begin].key; i++) {
        pli_deformable_data *deformable = pli_deformable_at(f->world, f->items[i].value);
        if (crowd->count > 0 && !have_equal_sizes(crowd->members[0], deformable))
            break;
        crowd->members[crowd->count++] = deformable;
    }
    return i;
}

static bool make_crowds(crowd_finding *f)
{
    pli_world *world = f->world;
    pli_sort_item *copy = PLI_TAKE(&world->crowd_arena, pli_sort_item, f->count);
    f->crowds = PLI_TAKE(&world->crowd_arena, pli_crowd, f->count / LEAST_MEMBERS + 1);
    if (!copy || !f->crowds)
        return false;
    pli_sort_within(f->items, copy, f->count);
    int32_t made = 0;
    for (int32_t i = 0; i < f->count;) {
        pli_crowd *crowd = &f->crowds[made];
        i = crowd_gather(f, i, crowd);
        if (crowd->count < LEAST_MEMBERS)
            continue;
        if (!take_arrays(world, crowd))
            return false;
        for (int32_t m = 0; m < crowd->count; m++)
            crowd->members[m]->isolated->crowd = crowd;
        made++;
    }
    pli_tasks_run(world->tasks, made, fill_crowd, f);
    return true;
}

bool pli_world_find_crowds(pli_world *world, float step)
{
    crowd_finding f = {.world = world, .step = step};
    const int32_t all = world->deformables.count;
    pli_world_forget_crowds(world);
    if (all < LEAST_MEMBERS || world->order != PLI_ORDER_COLOURED || pli_world_is_watched(world))
        return true;
    world->crowd_arena.memory = &world->memory;
    pli_arena_reset(&world->crowd_arena);
    if (world->step_count % PLI_TRIM_STEPS == 0)
        pli_arena_trim(&world->crowd_arena, 0);
    if (!(f.items = PLI_TAKE(&world->crowd_arena, pli_sort_item, all)))
        return false;
    pli_tasks_run(world->tasks, (all + FIND_GRAIN - 1) / FIND_GRAIN, find_keys, &f);
    for (int32_t i = 0; i < all; i++)
        if (f.items[i].value >= 0)
            f.items[f.count++] = f.items[i];
    return f.count < LEAST_MEMBERS || make_crowds(&f);
}

void pli_world_forget_crowds(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++)
        pli_deformable_at(world, i)->isolated->crowd = NULL;
}

void pli_crowds_release(pli_world *world) { pli_arena_release(&world->crowd_arena); }

pli_deformable_data *const *pli_crowd_members(const pli_crowd *crowd, int32_t *count)
{
    *count = crowd->count;
    return crowd->members;
}

bool pli_crowd_is_first(const pli_crowd *crowd, const pli_deformable_data *deformable)
{
    return crowd->members[0] == deformable;
}

void pli_crowds_divide_seconds(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        const pli_deformable_data *deformable = pli_deformable_at(world, i);
        const pli_crowd *crowd = deformable->isolated->crowd;
        double sum = 0.0;
        if (!crowd || !pli_crowd_is_first(crowd, deformable))
            continue;
        for (int32_t m = 0; m < crowd->count; m++)
            sum += crowd->members[m]->seconds;
        for (int32_t m = 0; m < crowd->count; m++)
            crowd->members[m]->seconds = sum / crowd->count;
    }
}

/* ---- sweeps -------------------------------------------------------------------------------------- */

// The arguments of a sweep over the leading set, with the arrays of the crowd.
static pli_projection projection_of(const pli_world *world, const pli_crowd *crowd, const crowd_set *set, float step,
                                    pli_sweep which)
{
    pli_projection p = pli_constraints_projection(world, set->leading, step, which);
    p.columns = crowd->at;
    p.previous_columns = crowd->previous;
    p.runs = set->runs;
    for (int32_t j = 0; j < PLI_REST_MAX; j++)
        p.rest[j] = set->rest[j];
    p.compliance_scale = p.compliance_scale ? set->compliance_scale : NULL;
    p.damping_scale = p.damping_scale ? set->damping_scale : NULL;
    for (int32_t d = 0; d < 3; d++)
        p.lambda[d] = p.lambda[d] ? set->lambda[d] : NULL;
    return p;
}

static void crowd_sweep_set(const pli_world *world, const pli_crowd *crowd, crowd_set *set, float step, pli_sweep which)
{
    if (which.first)
        set->projection = projection_of(world, crowd, set, step, which);
    set->projection.backward = which.backward;
    set->project(&set->projection, 0, set->leading->count);
    if (which.first)
        set->projection = projection_of(world, crowd, set, step, (pli_sweep){false, false});
}

void pli_crowd_sweep(const pli_world *world, pli_crowd *crowd, float step, int32_t from, int32_t to)
{
    const pli_crowd_kernels *kernels = world->kernels->crowd;
    pli_crowd_copy *copy = &crowd->copy;
    if (crowd->previous.x) {
        copy->columns = crowd->previous, copy->particles = world->store.previous;
        kernels->enter(copy);
    }
    copy->columns = crowd->at, copy->particles = world->store.particles;
    kernels->enter(copy);
    for (int32_t k = from; k < to; k++) {
        const pli_sweep which = {k == 0, pli_sweep_is_backward(&world->settings, k)};
        for (int32_t n = 0; n < crowd->set_count; n++)
            crowd_sweep_set(world, crowd, &crowd->sets[which.backward ? crowd->set_count - 1 - n : n], step, which);
    }
    kernels->leave(copy);
}
