// Builds solved sets: bending/bends_build.h.
#include "bending/bends_build.h"

#include "constraints/solved/solved_form.h"
#include "sweep/constraint_slots.h"
#include "sweep/rest_values.h"

#include <math.h>

typedef struct bends_building {
    pli_world *world;
    pli_memory *memory;
    const pli_deformable_data *deformable;
    pli_bends_state *state;
    double *places, *weights; // Scratch of one constraint: rest positions, K.
    int32_t *numbers;         // [particles] the number of each among the free particles, or -1.
    int32_t number_count;
} bends_building;

double pli_bends_compliance(const pli_constraints_data *set, int32_t slot)
{
    const double rigidity = set->parameters[PLI_PARAMETER_RIGIDITY];
    double compliance = set->parameters[PLI_PARAMETER_COMPLIANCE];
    if (rigidity > 0.0 && set->compliance_scale)
        compliance += (double)set->compliance_scale[slot] / rigidity;
    return compliance;
}

/* ---- constraints --------------------------------------------------------------------------------- */

static bool reserve_bends(bends_building *b)
{
    pli_bends_state *s = b->state;
    int64_t members = 0;
    int32_t largest = 1;
    for (int32_t i = 0; i < s->key.sets; i++) {
        const pli_constraints_data *set = s->sets[i].set;
        s->sets[i].first = s->count, s->sets[i].count = set->count;
        s->count += set->count;
        for (int32_t k = 0; k < set->count; k++) {
            int32_t fixed[PLI_CARDINALITY_MAX];
            const int32_t *particles;
            const int32_t count = pli_constraints_particles(set, k, &particles, fixed);
            members += count;
            largest = count > largest ? count : largest;
        }
    }
    if (members > INT32_MAX / 4)
        return false;
    const size_t most = (size_t)s->count;
    s->begins = PLI_ALLOCATE(b->memory, int32_t, most + 1);
    s->members = PLI_ALLOCATE(b->memory, int32_t, members);
    s->weights = PLI_ALLOCATE(b->memory, float, members);
    s->stiffnesses = PLI_ALLOCATE(b->memory, float, most);
    s->shapes = PLI_ALLOCATE(b->memory, float, most *PLI_FORM_SHAPES);
    s->forces = PLI_ALLOCATE(b->memory, pli_particle, most);
    s->coasting = PLI_ALLOCATE(b->memory, pli_particle, s->key.count);
    s->pull_begins = PLI_ALLOCATE(b->memory, int32_t, (size_t)s->key.count + 1);
    s->pulls = PLI_ALLOCATE(b->memory, int32_t, members);
    s->pull_weights = PLI_ALLOCATE(b->memory, float, members);
    b->places = PLI_ALLOCATE(b->memory, double, 3 * (size_t)largest);
    b->weights = PLI_ALLOCATE(b->memory, double, largest);
    b->numbers = PLI_ALLOCATE(b->memory, int32_t, s->key.count);
    return s->begins && s->members && s->weights && s->stiffnesses && s->shapes && s->forces && s->coasting &&
           s->pull_begins && s->pulls && s->pull_weights && b->places && b->weights && b->numbers;
}

// `shape` has the rest positions. Particles created by a tear have the position of the particle that they were copied from.
static void load_rest(const bends_building *b, const int32_t *particles, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        const float *at = b->deformable->shape.positions + 3 * (size_t)pli_vertex(b->deformable, particles[k]);
        for (int32_t axis = 0; axis < 3; axis++)
            b->places[3 * k + axis] = (double)at[axis];
    }
}

static void add_constraint(bends_building *b, const pli_bends_set *of, int32_t at, int32_t i)
{
    pli_bends_state *s = b->state;
    const pli_constraints_data *set = of->set;
    int32_t fixed[PLI_CARDINALITY_MAX], slot = pli_constraints_slot(set, i);
    const int32_t *particles;
    const int32_t count = pli_constraints_particles(set, i, &particles, fixed), first = s->begins[at];
    float rest[PLI_REST_MAX];
    for (int32_t j = 0; set->type->cardinality > 0 && j < set->type->rest_count; j++)
        rest[j] = set->rest[j][slot];
    load_rest(b, particles, count);
    pli_stencil view = pli_rest_view(set, (const double(*)[3])(const void *)b->places, NULL, count);
    view.rest = set->type->cardinality > 0 ? rest : set->variable.rest + set->variable.rest_spans[slot].begin;
    double measure = 1.0;
    const bool made = of->form->make(&view, b->weights, &measure, s->shapes + (size_t)at * PLI_FORM_SHAPES);
    const double stiffness = made ? 1.0 / (pli_bends_compliance(set, slot) * measure) : 0.0;
    s->stiffnesses[at] = isfinite(stiffness) ? (float)stiffness : 0.0f;
    for (int32_t k = 0; k < count; k++) {
        s->members[first + k] = particles[k];
        s->weights[first + k] = made ? (float)b->weights[k] : 0.0f;
    }
    s->begins[at + 1] = first + count;
}

static void add_constraints(bends_building *b)
{
    for (int32_t i = 0; i < b->state->key.sets; i++) {
        pli_bends_set *of = &b->state->sets[i];
        of->is_flat = true;
        for (int32_t k = 0; k < of->count; k++) {
            add_constraint(b, of, of->first + k, k);
            for (int32_t j = 0; j < PLI_FORM_SHAPES; j++)
                of->is_flat = of->is_flat && b->state->shapes[(of->first + k) * PLI_FORM_SHAPES + j] == 0.0f;
        }
    }
}

// Lists the constraints that act on each particle.
static void fill_pulls(pli_bends_state *s)
{
    const int32_t members = s->begins[s->count];
    for (int32_t k = 0; k < members; k++)
        s->pull_begins[s->members[k] + 1]++;
    for (int32_t i = 0; i < s->key.count; i++)
        s->pull_begins[i + 1] += s->pull_begins[i];
    for (int32_t c = 0; c < s->count; c++)
        for (int32_t k = s->begins[c]; k < s->begins[c + 1]; k++) {
            const int32_t at = s->pull_begins[s->members[k]]++;
            s->pulls[at] = c, s->pull_weights[at] = s->weights[k];
        }
    for (int32_t i = s->key.count; i > 0; i--)
        s->pull_begins[i] = s->pull_begins[i - 1];
    s->pull_begins[0] = 0;
}

/* ---- matrix ------------------------------------------------------------------------------------- */

static int64_t entries_of(const pli_bends_state *s)
{
    int64_t sum = 0;
    for (int32_t c = 0; c < s->count; c++)
        sum += (int64_t)(s->begins[c + 1] - s->begins[c]) * (s->begins[c + 1] - s->begins[c]);
    return sum;
}

static void fill_bend_matrices(const bends_building *b, int32_t *unknowns, double *values)
{
    const pli_bends_state *s = b->state;
    for (int32_t c = 0; c < s->count; c++)
        for (int32_t i = s->begins[c]; i < s->begins[c + 1]; i++) {
            unknowns[i] = b->numbers[s->members[i]];
            for (int32_t j = s->begins[c]; j < s->begins[c + 1]; j++)
                *values++ = (double)s->stiffnesses[c] * (double)s->weights[i] * (double)s->weights[j];
        }
}

static void place_bend_unknowns(const bends_building *b, double *points, double *diagonal)
{
    const double seconds = (double)b->state->system.seconds;
    for (int32_t i = 0; i < b->state->key.count; i++) {
        if (b->numbers[i] < 0)
            continue;
        const float *at = b->deformable->shape.positions + 3 * (size_t)pli_vertex(b->deformable, i);
        for (int32_t axis = 0; axis < 3; axis++)
            points[3 * b->numbers[i] + axis] = (double)at[axis];
        diagonal[b->numbers[i]] = 1.0 / ((double)b->state->system.base[i] * seconds * seconds);
    }
}

static pli_factor_result factor(bends_building *b)
{
    const pli_bends_state *s = b->state;
    for (int32_t i = 0; i < s->key.count; i++)
        b->numbers[i] = s->system.base[i] > 0.0f ? b->number_count++ : -1;
    pli_implicit_terms terms;
    if (!pli_implicit_terms_make(b->memory, b->number_count, s->begins[s->count], entries_of(s), &terms))
        return PLI_FACTOR_NO_MEMORY;
    fill_bend_matrices(b, terms.unknowns, terms.values);
    place_bend_unknowns(b, terms.points, terms.diagonal);
    const pli_elements elements = {.count = s->count, .offsets = s->begins};
    return pli_implicit_factor(b->world, &b->state->system, &terms, elements, b->numbers);
}

/* ---- state -------------------------------------------------------------------------------------- */

static pli_factor_result build_bends(bends_building *b)
{
    pli_bends_state *s = b->state;
    s->sets = PLI_ALLOCATE(b->memory, pli_bends_set, s->key.sets);
    if (!s->sets)
        return PLI_FACTOR_NO_MEMORY;
    int32_t at = 0;
    for (const pli_constraints_data *set = b->deformable->first_set; set; set = set->next)
        if (pli_constraints_request_solve(b->world, set))
            s->sets[at++] = (pli_bends_set){.set = set, .form = pli_solved_form_find(set->type->name)};
    if (!reserve_bends(b) ||
        !pli_implicit_make(b->memory, &s->system, s->key.count, s->key.count, b->deformable->base->masses))
        return PLI_FACTOR_NO_MEMORY;
    add_constraints(b);
    fill_pulls(s);
    return factor(b);
}

pli_factor_result pli_bends_build(pli_world *world, const pli_deformable_data *deformable, pli_bends_state *state)
{
    bends_building b = {.world = world, .memory = &world->memory, .deformable = deformable, .state = state};
    state->system.interval = state->key.interval, state->system.seconds = state->key.seconds;
    const pli_factor_result result = build_bends(&b);
    pli_release(b.memory, b.places);
    pli_release(b.memory, b.weights);
    pli_release(b.memory, b.numbers);
    return result;
}

void pli_bends_clear(pli_memory *memory, pli_bends_state *state)
{
    void *const all[] = {state->sets,         state->begins, state->members,     state->weights,
                         state->stiffnesses,  state->shapes, state->pull_begins, state->pulls,
                         state->pull_weights, state->forces, state->coasting};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        pli_release(memory, all[i]);
    pli_implicit_clear(memory, &state->system);
    *state = (pli_bends_state){0};
}
