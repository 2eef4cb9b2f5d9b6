// The stretch limit of a deformable: which kind it has, when it is rebuilt, and its public functions. See
// stretch/stretch_limit.h.
#include "stretch/stretch_limit.h"

#include "base/hash.h"
#include "descriptors/groups.h"
#include "model/handles.h"
#include "particles/rolling_friction.h"
#include "schedule/constraint_slots.h"
#include "stretch/levels_weigh.h"
#include "stretch/load.h"
#include "stretch/stretch_tethers.h"
#include "stretch/tether_follow.h"
#include "tension/tension.h"

#include <math.h>
#include <string.h>

// Owner of a vertex: nothing, the world, or the rigid body of the attachment of that id. Ids of attachments exceed 1,
// since their deformable is older.
enum { NOTHING = 0, WORLD = PLI_OWNER_WORLD };

// Weight of a kilogram [N], and the strain by a metre of its own weight that counts as none [1/m].
#define WEIGHT 9.81
#define HARDLY 1e-3

// The share by which sweeps may leave a hanging chain or ribbon too long; the rate of frames for which that is estimated [1/s]; and
// the pull of the air, in weights of the cloth, from which sweeps have it, since what a solve takes back of stretch it gives as speed.
#define LEFT_BY_SWEEPS 0.01
#define USUAL_RATE 60.0
#define STRONG_AIR 1000.0

// How long a solve takes over what sweeps have left too long [s]: 6 m/s2 at most for a metre of it, less than it would fall.
#define EASE 1.0

pli_status pli_stretch_limit_check(const pli_stretch_limit *limit, pli_error *error)
{
    for (size_t i = 0; i < sizeof limit->reserved / sizeof *limit->reserved; i++)
        if (limit->reserved[i] != 0)
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "stretch limit: reserved words must be 0");
    pli_error found;
    if (pli_descriptor_check(&pli_stretch_limit_descriptors, limit, &found) == PLI_STATUS_OK)
        return pli_succeed(error);
    return pli_fail(error, found.status, "stretch limit: %.400s", found.message);
}

/* ---- kind and owners ---------------------------------------------------------------------------- */

// Whether a constraint set is rigid. Compliant attachments yield, so they are no anchors.
static bool is_rigid(const pli_world *world, const pli_constraint_set_data *set)
{
    return world->settings.method == PLI_METHOD_PBD ? set->parameters[PLI_PARAMETER_STIFFNESS] >= 1.0
                                                    : !(set->parameters[PLI_PARAMETER_COMPLIANCE] > 0.0);
}

// Writes the owner of each vertex; whether a rigid body owns any.
static bool find_owners(const pli_world *world, const pli_deformable_data *deformable, int32_t *owners)
{
    bool carried = false;
    for (int32_t v = 0; v < deformable->count; v++) {
        owners[v] = deformable->particles[pli_place(deformable, v)].w == 0.0f ? WORLD : NOTHING;
    }
    for (const pli_attachment_data *attachment = deformable->first_attachment; attachment;
         attachment = attachment->next_attachment) {
        if (attachment->set && !is_rigid(world, attachment->set))
            continue;
        for (int32_t k = 0; k < attachment->count; k++) {
            int32_t *owner = &owners[pli_vertex(deformable, attachment->particles[k])];
            carried = carried || attachment->rigid;
            if (*owner == NOTHING)
                *owner = attachment->rigid ? (int32_t)attachment->id : WORLD;
        }
    }
    return carried;
}

// Whether a sheet of edges of this compliance hardly stretches under its own weight, whatever its mesh; pli_material_constrain makes the
// compliance the inverse of the tensile stiffness. Deformables that pressure stretches are meant to stretch.
static bool is_next_to_rigid(const pli_world *world, const pli_deformable_data *deformable,
                             const pli_constraint_set_data *set)
{
    if (world->settings.method == PLI_METHOD_PBD || pli_deformable_is_inflated(deformable))
        return false;
    return set->parameters[PLI_PARAMETER_COMPLIANCE] * WEIGHT * (double)deformable->def.density <= HARDLY;
}

// Whether a generated set carries tension, and all that do are rigid or next to it.
static bool is_inextensible(const pli_world *world, const pli_deformable_data *deformable)
{
    int32_t pulling = 0;
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next) {
        if (!set->type->carries_tension || !set->generator)
            continue;
        if (!is_rigid(world, set) && !is_next_to_rigid(world, deformable, set))
            return false;
        pulling++;
    }
    return pulling > 0;
}

// Whether stretch may be solved.
static bool may_be_solved(const pli_world *world)
{
    return world->order == PLI_ORDER_COLOURED && world->settings.method == PLI_METHOD_XPBD;
}

// Whether nothing but membranes that are solved resists stretching everywhere. Sweeps of edges behind that solve would feed energy to it; a list of
// some edges is solved as well.
static bool is_of_membranes(const pli_deformable_data *deformable)
{
    bool any = false;
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next) {
        if (pli_constraint_set_is_tensile(set) && set->generator)
            return false;
        any = any || pli_constraint_set_is_membrane(set);
    }
    return any;
}

bool pli_deformable_solves_membranes(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_stretch_kind kind = deformable->def.stretch_limit.kind;
    return may_be_solved(world) &&
           (kind == PLI_STRETCH_SOLVE || (kind == PLI_STRETCH_AUTO && is_of_membranes(deformable)));
}

// Whether the engine may make the deformable keep its lengths better than its settings say. Membranes that are solved have the lengths that
// they should have, and levels would take their shear from them.
static bool keeps_lengths(const pli_world *world, const pli_deformable_data *deformable)
{
    return may_be_solved(world) && !pli_tears(&deformable->def.tearing) && is_inextensible(world, deformable) &&
           !is_of_membranes(deformable);
}

// The key tells whether constraints have changed since it was found how narrow they are; it is never 0.
static uint64_t constraints_of(const pli_deformable_data *deformable)
{
    uint64_t key = pli_hash_mix(PLI_HASH_START, (uint64_t)deformable->count);
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraint_set_is_tensile(set))
            key = pli_hash_mix(pli_hash_mix(key, set->id), (uint64_t)set->count);
    return key | 1;
}

// Whether one sweep a substep would leave too much of it: the tension of all its weight moves the lightest particle by h^2 T / m a
// substep, as a share of an edge.
static bool is_left_long(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_settings *settings = &world->settings;
    const double h = 1.0 / (USUAL_RATE * settings->substeps), x = (double)settings->gravity.x,
                 y = (double)settings->gravity.y, z = (double)settings->gravity.z;
    double mass = 0.0, most = 0.0;
    for (int32_t i = 0; i < deformable->count; i++) {
        const double w = (double)deformable->particles[i].w;
        mass += w > 0.0 ? 1.0 / w : 0.0;
        most = w > most ? w : most;
    }
    return h * h * sqrt(x * x + y * y + z * z) * mass * most > LEFT_BY_SWEEPS * (double)deformable->mean_edge;
}

// Whether the air pulls at it with many times its weight.
static bool is_in_strong_air(const pli_world *world, const pli_deformable_data *deformable)
{
    const pli_settings *settings = &world->settings;
    const double x = (double)settings->wind.x, y = (double)settings->wind.y, z = (double)settings->wind.z,
                 gusts = (double)settings->gust_strength;
    return 0.5 * (double)settings->air_density * (x * x + y * y + z * z + gusts * gusts) >
           STRONG_AIR * WEIGHT * (double)deformable->def.density;
}

// Whether it is a chain or a ribbon that hangs: what sweeps leave grows with the square of its length, and a solve is cheap.
static bool hangs_by_a_line(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->count >= PLI_STRETCH_AUTO_VERTICES || deformable->def.plate.rigidity > 0.0f ||
        !keeps_lengths(world, deformable) || !pli_deformable_is_held(deformable) ||
        pli_deformable_is_inflated(deformable) || !is_left_long(world, deformable) ||
        is_in_strong_air(world, deformable))
        return false;
    for (const pli_attachment_data *a = deformable->first_attachment; a; a = a->next_attachment)
        if (a->rigid)
            return false;
    const uint64_t key = constraints_of(deformable);
    if (key != deformable->narrow_key)
        deformable->narrow = pli_tension_is_narrow(&world->memory, deformable);
    deformable->narrow_key = key;
    return deformable->narrow;
}

// Whether a body hangs from it, or a heavy particle, which sweeps would let stretch it visibly.
static bool carries_load(const pli_world *world, const pli_deformable_data *deformable)
{
    const double step = 1.0 / (USUAL_RATE * world->settings.substeps);
    return keeps_lengths(world, deformable) &&
           pli_deformable_heaviest_load(world, deformable, step).strain > PLI_VISIBLE_STRETCH;
}

// Reasons for which the engine limits a deformable whose definition leaves it the choice.
typedef struct reasons {
    bool membrane, line, load;
} reasons;

static reasons reasons_of(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->def.stretch_limit.kind != PLI_STRETCH_AUTO)
        return (reasons){false, false, false};
    const bool membrane = pli_deformable_solves_membranes(world, deformable);
    const bool line = !membrane && hangs_by_a_line(world, deformable);
    return (reasons){membrane, line, !membrane && !line && carries_load(world, deformable)};
}

static bool may_be_limited(const pli_world *world, const pli_deformable_data *deformable, reasons why)
{
    switch (deformable->def.stretch_limit.kind) {
    case PLI_STRETCH_NONE:
        return false;
    case PLI_STRETCH_AUTO:
        return why.membrane || why.line || why.load ||
               ((deformable->count >= PLI_STRETCH_AUTO_VERTICES || deformable->def.plate.rigidity > 0.0f) &&
                keeps_lengths(world, deformable));
    case PLI_STRETCH_SOLVE:
        return may_be_solved(world);
    default:
        return true;
    }
}

/* ---- rebuilding --------------------------------------------------------------------------------- */

static void clear_limit(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    pli_limit_drop_job(world, limit);
    pli_tethers_release(&world->memory, &limit->tethers);
    pli_limit_free_set(world, limit);
    pli_hierarchy_free(&world->memory, limit->hierarchy);
    pli_tension_free(&world->memory, limit->tension);
    pli_membrane_free(&world->memory, limit->membrane);
    pli_release(&world->memory, limit->masses);
    pli_release(&world->memory, limit->owners);
    pli_release(&world->memory, limit->found);
    pli_release(&world->memory, limit->filled);
    *limit = (pli_limit){.kind = PLI_STRETCH_NONE, .record = limit->record};
}

void pli_limit_free(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->limit)
        return;
    clear_limit(world, deformable);
    pli_limit_drop_record(world, deformable->limit);
    pli_release(&world->memory, deformable->limit);
    deformable->limit = NULL;
}

static bool has_membranes(const pli_deformable_data *deformable)
{
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraint_set_is_membrane(set))
            return true;
    return false;
}

static bool has_tensile(const pli_deformable_data *deformable)
{
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraint_set_is_tensile(set))
            return true;
    return false;
}

// Whether what is solved is what was solved when the limit was built.
static bool is_solved_as_built(const pli_deformable_data *deformable)
{
    const pli_limit *limit = deformable->limit;
    return (has_membranes(deformable) ? pli_membrane_is_current(deformable, limit->membrane) : !limit->membrane) &&
           (has_tensile(deformable) ? pli_tension_is_current(deformable, limit->tension) : !limit->tension);
}

static bool build_limit(pli_world *world, pli_deformable_data *deformable, pli_stretch_kind kind)
{
    pli_limit *limit = deformable->limit;
    limit->kind = kind;
    limit->anchors = deformable->def.stretch_limit.anchors, limit->levels = deformable->def.stretch_limit.levels;
    limit->count = deformable->count, limit->capacity = deformable->capacity;
    if (kind == PLI_STRETCH_HIERARCHY) {
        pli_limit_drop_record(world, limit);
        limit->masses = PLI_ALLOCATE(&world->memory, float, deformable->capacity);
        limit->hierarchy = pli_hierarchy_make(world, deformable, limit->levels);
        for (int32_t i = 0; limit->masses && i < deformable->count; i++)
            limit->masses[i] = deformable->particles[i].w;
        return limit->masses && limit->hierarchy;
    }
    if (kind == PLI_STRETCH_SOLVE) {
        pli_limit_drop_record(world, limit);
        if (has_membranes(deformable) && !(limit->membrane = pli_membrane_make(world, deformable)))
            return false;
        if (has_tensile(deformable))
            limit->tension = pli_tension_make(world, deformable);
        return limit->tension || !has_tensile(deformable);
    }
    return pli_limit_find_tethers(world, deformable);
}

static bool has_masses(const pli_deformable_data *deformable, const float *masses)
{
    for (int32_t i = 0; i < deformable->count; i++)
        if (masses[i] != deformable->particles[i].w)
            return false;
    return true;
}

// Whether the limit was built for the present shape and settings. Levels follow masses, and tethers owners.
static bool is_current(const pli_deformable_data *deformable, pli_stretch_kind kind)
{
    const pli_limit *limit = deformable->limit;
    const pli_stretch_limit *wanted = &deformable->def.stretch_limit;
    return !deformable->reshaped && limit->kind == kind && limit->anchors == wanted->anchors &&
           limit->levels == wanted->levels && limit->count == deformable->count &&
           limit->capacity == deformable->capacity && (kind != PLI_STRETCH_SOLVE || is_solved_as_built(deformable));
}

// Weighs the levels anew where masses have changed: what was pinned or let go.
static bool update_masses(pli_world *world, pli_deformable_data *deformable)
{
    pli_limit *limit = deformable->limit;
    if (!limit->hierarchy || has_masses(deformable, limit->masses))
        return true;
    bool complete = pli_hierarchy_weigh(&world->memory, deformable, limit->masses, NULL, limit->hierarchy);
    for (int32_t i = 0; i < deformable->count; i++)
        limit->masses[i] = deformable->particles[i].w;
    return complete;
}

static bool reserve_owners(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->limit && !(deformable->limit = PLI_ALLOCATE(&world->memory, pli_limit, 1)))
        return false;
    pli_limit *limit = deformable->limit;
    if (limit->owners && limit->capacity == deformable->capacity)
        return true;
    clear_limit(world, deformable);
    limit->owners = PLI_ALLOCATE(&world->memory, int32_t, deformable->capacity);
    limit->found = PLI_ALLOCATE(&world->memory, int32_t, deformable->capacity);
    limit->filled = PLI_ALLOCATE(&world->memory, int32_t, deformable->capacity);
    limit->capacity = deformable->capacity;
    if (limit->owners && limit->found && limit->filled)
        return true;
    clear_limit(world, deformable);
    return false;
}

// Builds the limit for the present shape, and for present owners unless a snapshot says others.
static bool rebuild_limit(pli_world *world, pli_deformable_data *deformable, pli_stretch_kind kind)
{
    pli_limit *limit = deformable->limit;
    int32_t *owners = limit->owners, *found = limit->found, *filled = limit->filled;
    limit->owners = limit->found = limit->filled = NULL;
    clear_limit(world, deformable);
    limit->owners = owners, limit->found = found, limit->filled = filled;
    memcpy(owners, found, (size_t)deformable->count * sizeof *owners);
    deformable->reshaped = deformable->reattached = false;
    size_t before = world->memory.bytes;
    if (!build_limit(world, deformable, kind))
        return false;
    limit->memory = world->memory.bytes - before + 3 * (size_t)deformable->capacity * sizeof *owners;
    return true;
}

// Whether tethers need not be found anew.
static bool may_follow(pli_world *world, pli_deformable_data *deformable)
{
    return pli_limit_go_back(world, deformable) && !pli_limit_lost_most(deformable->limit);
}

// Brings what is built up to date where masses or owners have changed.
static bool keep_up(pli_world *world, pli_deformable_data *deformable)
{
    return pli_deformable_has_tethers(deformable) ? pli_limit_keep_up(world, deformable)
                                                  : update_masses(world, deformable);
}

// Rebuilds the limit of a deformable unless it is current; `whole` asks for all tethers at once. False when memory ran out.
static bool update_limit(pli_world *world, pli_deformable_data *deformable, bool whole)
{
    const reasons why = reasons_of(world, deformable);
    if (!may_be_limited(world, deformable, why)) {
        pli_limit_free(world, deformable);
        return true;
    }
    if (!reserve_owners(world, deformable))
        return false;
    pli_limit *limit = deformable->limit;
    bool carried = find_owners(world, deformable, limit->found);
    pli_stretch_kind kind = deformable->def.stretch_limit.kind;
    if (kind == PLI_STRETCH_AUTO)
        kind = why.membrane || why.line ? PLI_STRETCH_SOLVE
               : carried                ? PLI_STRETCH_LONG_RANGE_ATTACHMENTS // Levels know no bodies.
                                        : PLI_STRETCH_HIERARCHY;
    if (whole)
        pli_limit_drop_record(world, limit);
    limit->whole = limit->whole || whole;
    bool complete = is_current(deformable, kind) &&
                            (!pli_deformable_has_tethers(deformable) || may_follow(world, deformable))
                        ? keep_up(world, deformable)
                        : rebuild_limit(world, deformable, kind);
    if (!complete)
        pli_limit_free(world, deformable);
    return complete;
}

static void mark_solved(pli_deformable_data *deformable)
{
    for (pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        set->solved = pli_deformable_has_tension(deformable) && pli_constraint_set_is_tensile(set);
}

bool pli_world_update_limits(pli_world *world)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (!deformable->idle && !update_limit(world, deformable, false))
            return false;
        mark_solved(deformable);
        if (pli_deformable_has_tension(deformable))
            pli_tension_weigh_rigids(world, deformable, deformable->limit->tension);
    }
    return true;
}

void pli_world_follow_limits(pli_world *world, double dt)
{
    for (int32_t i = 0; i < world->deformables.count; i++) {
        pli_deformable_data *deformable = pli_deformable_at(world, i);
        if (deformable->idle)
            continue;
        deformable->easing = pli_deformable_has_tension(deformable) ? fmax(deformable->easing - dt, 0.0) : EASE;
        if (pli_deformable_has_tethers(deformable))
            pli_limit_follow(world, deformable);
    }
}

/* ---- projection --------------------------------------------------------------------------------- */

bool pli_limit_levels_in_grid(const pli_deformable_data *deformable)
{
    return pli_hierarchy_in_grid(deformable->limit->hierarchy);
}

bool pli_limit_levels_act(const pli_world *world, const pli_deformable_data *deformable, int32_t left)
{
    return pli_deformable_has_levels(deformable) &&
           pli_hierarchy_acts(deformable->limit->hierarchy, left, world->substep_count);
}

void pli_limit_project_levels(pli_world *world, pli_deformable_data *deformable, int32_t left, bool again)
{
    pli_hierarchy_project(world, deformable, deformable->limit->hierarchy, deformable->def.stretch_limit.slack, left,
                          again);
}

// The share that is left with so many seconds to go: 1 at the start, 0 at the end, with no slope at either.
static double left_with(double seconds)
{
    const double u = seconds > 0.0 ? fmin(seconds / EASE, 1.0) : 0.0;
    return u * u * (3.0 - 2.0 * u);
}

void pli_limit_solve_tension(pli_deformable_data *deformable, float step, int32_t substeps, pli_tension_start start)
{
    const double from = deformable->easing - substeps * (double)step, left = left_with(from);
    pli_tension_solve(deformable, deformable->limit->tension, step, start,
                      left > 0.0 ? left_with(from - (double)step) / left : 0.0);
}

int64_t pli_limit_projections(const pli_deformable_data *deformable)
{
    const pli_limit *limit = deformable->limit;
    if (!limit)
        return 0;
    return (limit->hierarchy ? pli_hierarchy_projections(limit->hierarchy) : 0) + limit->rigid_tether_count +
           pli_tension_constraints(limit->tension) + pli_membrane_constraints(limit->membrane) +
           (limit->set ? limit->set->count : 0);
}

/* ---- public ------------------------------------------------------------------------------------- */

pli_status pli_deformable_set_stretch_limit(pli_world *world, pli_deformable handle, const pli_stretch_limit *limit,
                                            pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    pli_status status = pli_stretch_limit_check(limit, error);
    if (status == PLI_STATUS_OK) {
        deformable->def.stretch_limit = *limit;
        world->collision.stirred = true;
    }
    return status;
}

pli_status pli_deformable_build_stretch_limit_sized(pli_world *world, pli_deformable handle,
                                                    pli_stretch_limit_info *info, size_t size, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if (!update_limit(world, deformable, true))
        return pli_fail_memory(error);
    const pli_limit *limit = deformable->limit;
    pli_stretch_limit_info found = {.limit = deformable->def.stretch_limit, .kind = PLI_STRETCH_NONE};
    if (limit) {
        found.kind = limit->kind;
        found.tether_count = limit->tethers.rank_count > 0 ? limit->tethers.offsets[limit->tethers.rank_count] : 0;
        found.level_count = limit->hierarchy ? limit->hierarchy->count : 0;
        found.memory = limit->memory;
    }
    pli_struct_write(info, size, &found, sizeof found);
    return pli_succeed(error);
}

pli_status pli_deformable_tether_at(const pli_world *world, pli_deformable handle, int32_t index, int32_t *particle,
                                    int32_t *anchor, float *length, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_tethers *tethers = deformable->limit ? &deformable->limit->tethers : NULL;
    int32_t count = tethers && tethers->rank_count > 0 ? tethers->offsets[tethers->rank_count] : 0;
    if (index < 0 || index >= count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "tether %d is asked for; there are %d", (int)index,
                        (int)count);
    if (particle)
        *particle = tethers->items[index].particle;
    if (anchor)
        *anchor = tethers->items[index].anchor;
    if (length)
        *length = tethers->items[index].length;
    return pli_succeed(error);
}

// The node of a level that a finer node follows most; -1 for none.
static int32_t chief_of(const pli_level *level, int32_t finer)
{
    int32_t parents[PLI_PARENTS], chief = 0;
    float weights[PLI_PARENTS];
    const int32_t count = pli_level_parents(level, finer, parents, weights);
    for (int32_t k = 1; k < count; k++)
        chief = weights[k] > weights[chief] ? k : chief;
    return count > 0 ? parents[chief] : -1;
}

pli_status pli_deformable_level_nodes(const pli_world *world, pli_deformable handle, int32_t level, int32_t *nodes,
                                      int32_t *count, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_hierarchy *h = deformable->limit ? deformable->limit->hierarchy : NULL;
    if (level < 0 || level >= (h ? h->count : 0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "level %d is asked for; there are %d", (int)level,
                        h ? (int)h->count : 0);
    *count = h->levels[level].count;
    for (int32_t v = 0; nodes && v < deformable->count; v++) {
        int32_t node = pli_place(deformable, v);
        for (int32_t l = 0; l <= level && node >= 0; l++)
            // A copy that a tear made after the levels were built follows none.
            node = node < h->levels[l].finer_count ? chief_of(&h->levels[l], node) : -1;
        nodes[v] = node;
    }
    return pli_succeed(error);
}
