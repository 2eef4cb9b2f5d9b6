// Solved sets of a deformable: when they are rebuilt, and their solve. See bending/bends.h.
#include "bending/bends.h"

#include "base/hash.h"
#include "bending/bends_build.h"
#include "constraints/registry.h"
#include "model/parallel.h"
#include "sweep/constraint_slots.h"
#include "base/simd/four.h"

#include <string.h>

bool pli_constraints_request_solve(const pli_world *world, const pli_constraints_data *set)
{
    const int32_t slot = set->row && set->type->bending ? pli_parameter_slot(set->type, "solve") : -1;
    if (slot < 0 || !(set->parameters[slot] > 0.0) || world->settings.method != PLI_METHOD_XPBD || set->count == 0)
        return false;
    const int32_t yields = pli_parameter_slot(set->type, "yield");
    const bool has_plate = set->deformable->def.plate.rigidity > 0.0f;
    return !has_plate && !set->yield && !(yields >= 0 && set->parameters[yields] > 0.0) &&
           pli_bends_compliance(set, 0) > 0.0;
}

/* ---- the residual -------------------------------------------------------------------------------- */

typedef struct pulling {
    const pli_bends_state *state;
    const pli_bends_set *of;
    bool is_linear;
} pulling;

// Whether all targets are 0.
static bool is_linear(const pli_bends_set *of) { return of->is_flat && of->form->is_plain(of->set->own); }

static pli_four sum_of(const pli_bends_state *s, int32_t c, const pli_particle *particles)
{
    const int32_t *members = s->members + s->begins[c];
    const float *weights = s->weights + s->begins[c];
    const pli_four origin = pli_four_of(&particles[members[0]]);
    pli_four sum = pli_four_set(0.0f);
    for (int32_t k = 1; k < s->begins[c + 1] - s->begins[c]; k++)
        sum = sum + (pli_four_of(&particles[members[k]]) - origin) * pli_four_set(weights[k]);
    return sum;
}

// s - t of a form that rotates with its particles: evaluated at the coasting positions, and from there to y with t constant.
static pli_vec3 excess_of(const pulling *p, int32_t c, pli_four ahead)
{
    const pli_bends_state *s = p->state;
    const pli_four sum = sum_of(s, c, s->coasting), beyond = ahead - sum;
    const pli_bent bent = {s->coasting,
                           s->members + s->begins[c],
                           s->begins[c + 1] - s->begins[c],
                           s->shapes + (size_t)c * PLI_FORM_SHAPES,
                           p->of->set->own,
                           {sum[0], sum[1], sum[2]}};
    const pli_vec3 excess = p->of->form->excess(&bent);
    return (pli_vec3){excess.x + beyond[0], excess.y + beyond[1], excess.z + beyond[2]};
}

static void find_forces(void *data, int32_t begin, int32_t end)
{
    const pulling *p = data;
    const pli_bends_state *s = p->state;
    for (int32_t c = p->of->first + begin; c < p->of->first + end; c++) {
        const pli_four sum = sum_of(s, c, s->system.ahead);
        const pli_vec3 excess = p->is_linear ? (pli_vec3){sum[0], sum[1], sum[2]} : excess_of(p, c, sum);
        const float k = s->stiffnesses[c];
        s->forces[c] = (pli_particle){excess.x * k, excess.y * k, excess.z * k, 0.0f};
    }
}

typedef struct coasting {
    const pli_deformable_data *deformable;
    pli_vec3 gained; // h g [m/s]: the velocity that gravity has added in this substep.
} coasting;

static void coast(void *data, int32_t begin, int32_t end)
{
    const coasting *c = data;
    const pli_bends_state *s = c->deformable->bends;
    const float seconds = s->system.seconds;
    for (int32_t i = begin; i < end; i++) {
        const pli_particle x = c->deformable->particles[i], v = c->deformable->velocities[i];
        const pli_vec3 gained = x.w > 0.0f ? c->gained : (pli_vec3){0.0f, 0.0f, 0.0f};
        s->coasting[i] = (pli_particle){x.x + (v.x - gained.x) * seconds, x.y + (v.y - gained.y) * seconds,
                                        x.z + (v.z - gained.z) * seconds, x.w};
    }
}

static pli_particle bend_pull_of(const pli_bends_state *s, int32_t particle)
{
    pli_four sum = pli_four_set(0.0f);
    for (int32_t k = s->pull_begins[particle]; k < s->pull_begins[particle + 1]; k++)
        sum = sum - pli_four_of(&s->forces[s->pulls[k]]) * pli_four_set(s->pull_weights[k]);
    return (pli_particle){sum[0], sum[1], sum[2], 0.0f};
}

static void gather_bend_pulls(void *data, int32_t begin, int32_t end)
{
    const pli_bends_state *s = data;
    for (int32_t i = begin; i < end; i++)
        if (s->system.places[i] >= 0)
            s->system.scratch.vector[s->system.places[i]] = bend_pull_of(s, i);
}

/* ---- what is held -------------------------------------------------------------------------------- */

static bool is_bend_held(const pli_deformable_data *deformable, int32_t particle)
{
    return !(deformable->bends->system.masses[particle] > 0.0f);
}

static bool add_column(const pli_deformable_data *deformable, int32_t particle, pli_implicit_columns *columns)
{
    const pli_bends_state *s = deformable->bends;
    const double seconds = (double)s->system.seconds;
    bool enough = pli_implicit_add(columns, particle, 1.0 / ((double)s->system.masses[particle] * seconds * seconds));
    for (int32_t i = s->pull_begins[particle]; i < s->pull_begins[particle + 1]; i++) {
        const int32_t c = s->pulls[i];
        const double own = (double)s->stiffnesses[c] * (double)s->pull_weights[i];
        for (int32_t k = s->begins[c]; k < s->begins[c + 1]; k++)
            enough = enough && pli_implicit_add(columns, s->members[k], own * (double)s->weights[k]);
    }
    return enough;
}

static pli_particle bend_residual_of(const pli_deformable_data *deformable, int32_t particle)
{
    return bend_pull_of(deformable->bends, particle);
}

static const pli_implicit_energy bend_energy = {is_bend_held, add_column, bend_residual_of};

/* ---- when they are made -------------------------------------------------------------------------- */

static uint64_t hash_of(uint64_t hash, const pli_constraints_data *set)
{
    hash = pli_hash_mix(pli_hash_mix(hash, set->id), (uint64_t)set->count);
    hash = pli_hash_bytes(hash, set->parameters, PLI_PARAMETER_COMMON_COUNT * sizeof *set->parameters);
    if (set->base_scale)
        hash = pli_hash_bytes(hash, set->compliance_scale, (size_t)set->slot_count * sizeof *set->compliance_scale);
    for (int32_t i = 0; i < set->count && set->deformable->tear_state; i++) {
        int32_t fixed[PLI_CARDINALITY_MAX];
        const int32_t *particles;
        const int32_t count = pli_constraints_particles(set, i, &particles, fixed);
        hash = pli_hash_bytes(hash, particles, (size_t)count * sizeof *particles);
    }
    return hash;
}

static pli_bends_key key_of(const pli_world *world, const pli_deformable_data *deformable, float step)
{
    const int32_t interval = pli_implicit_interval(world->substep_count, 0);
    pli_bends_key key = {(float)interval * step, interval, deformable->count, deformable->capacity, 0, PLI_HASH_START};
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraints_request_solve(world, set))
            key.sets++, key.hash = hash_of(key.hash, set);
    return key;
}

// Compares member by member, since padding bytes are not set.
static bool is_same_bend_key(const pli_bends_key *a, const pli_bends_key *b)
{
    return a->seconds == b->seconds && a->interval == b->interval && a->count == b->count &&
           a->capacity == b->capacity && a->sets == b->sets && a->hash == b->hash;
}

void pli_bends_free(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->bends)
        return;
    pli_bends_clear(&world->memory, deformable->bends);
    pli_release(&world->memory, deformable->bends);
    deformable->bends = NULL;
}

// Sets may have been recreated at another address with the same contents.
static void find_sets(const pli_world *world, const pli_deformable_data *deformable)
{
    pli_bends_set *of = deformable->bends->sets;
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraints_request_solve(world, set))
            (of++)->set = set;
}

static pli_factor_result update_bend_factor(pli_world *world, pli_deformable_data *deformable, const void *data)
{
    const pli_bends_key *key = data;
    pli_bends_state *state = deformable->bends;
    if (!state || !is_same_bend_key(&state->key, key) || !pli_implicit_has_base(deformable, &state->system)) {
        pli_bends_free(world, deformable);
        state = deformable->bends = PLI_ALLOCATE(&world->memory, pli_bends_state, 1);
        if (!state)
            return PLI_FACTOR_NO_MEMORY;
        state->key = *key;
        const pli_factor_result result = pli_bends_build(world, deformable, state);
        if (result != PLI_FACTOR_OK)
            return result;
    }
    find_sets(world, deformable);
    if (pli_implicit_holds(deformable, &state->system))
        return PLI_FACTOR_OK;
    pli_implicit_numbers turned = {0};
    const bool enough = pli_implicit_take_masses(&world->memory, deformable, &state->system, &turned);
    pli_array_release(&world->memory, &turned);
    return enough ? pli_implicit_hold(world, deformable, &state->system, &bend_energy) : PLI_FACTOR_NO_MEMORY;
}

// When the sweeps stop projecting a set, its multipliers become 0, which means no force.
static void mark_set(const pli_world *world, pli_constraints_data *set, bool solves)
{
    const bool before = set->unswept;
    set->unswept = solves && pli_constraints_request_solve(world, set);
    for (int32_t d = 0; set->unswept && !before && d < set->type->dimension && set->lambda[d]; d++)
        memset(set->lambda[d], 0, (size_t)set->slot_count * sizeof *set->lambda[d]);
}

bool pli_bends_update(pli_world *world, pli_deformable_data *deformable, float step)
{
    const pli_bends_key key = key_of(world, deformable, step);
    bool enough = true;
    if (key.sets == 0)
        pli_bends_free(world, deformable);
    else
        enough = pli_implicit_update(world, deformable, update_bend_factor, pli_bends_free, &key);
    for (pli_constraints_data *set = deformable->first_set; set; set = set->next)
        mark_set(world, set, deformable->bends != NULL);
    return enough;
}

/* ---- a step ------------------------------------------------------------------------------------- */

const pli_implicit *pli_bends_system(const pli_deformable_data *deformable)
{
    return deformable->bends ? &deformable->bends->system : NULL;
}

void pli_bends_solve(pli_world *world, pli_deformable_data *deformable, int32_t substep)
{
    pli_bends_state *s = deformable->bends;
    if (!pli_implicit_is_due(pli_bends_system(deformable), substep))
        return;
    const float step = s->system.seconds / (float)s->system.interval;
    coasting all = {deformable, pli_scale(world->settings.gravity, step)};
    bool turns = false; // Whether a target rotates.
    for (int32_t i = 0; i < s->key.sets; i++)
        turns = turns || !is_linear(&s->sets[i]);
    pli_implicit_look_ahead(world, deformable, &s->system);
    if (turns)
        pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, coast, &all);
    for (int32_t i = 0; i < s->key.sets; i++) {
        const pli_bends_set *of = &s->sets[i];
        pulling p = {s, of, is_linear(of)};
        pli_parallel(world, of->count, PLI_SLOT_GRAIN, find_forces, &p);
    }
    pli_parallel(world, s->key.count, PLI_PARTICLE_GRAIN, gather_bend_pulls, s);
    pli_implicit_solve(world, deformable, &s->system, &bend_energy);
}

const pli_feature pli_feature_bends = {
    .name = "solved bends",
    .at = offsetof(pli_deformable_data, bends),
    .destroy = pli_bends_free,
    .prepare = pli_bends_update,
};
