// Borders of plates: plate/plate_hold.h.
#include "plate/plate_hold.h"

#include "base/array.h"

#include <string.h>

bool pli_plate_base_serves(const pli_deformable_data *deformable)
{
    if (deformable->plate_base_count != deformable->count)
        return false;
    for (int32_t i = 0; i < deformable->count; i++) {
        const float then = deformable->plate_base[i], now = deformable->particles[i].w;
        if (then != now && then > 0.0f && now > 0.0f)
            return false;
    }
    return true;
}

bool pli_plate_take_base(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->plate_base)
        deformable->plate_base = PLI_ALLOCATE(&world->memory, float, deformable->capacity);
    if (!deformable->plate_base)
        return false;
    for (int32_t i = 0; i < deformable->count; i++)
        deformable->plate_base[i] = deformable->particles[i].w;
    deformable->plate_base_count = deformable->count;
    return true;
}

bool pli_plate_reserve_expected(pli_world *world, pli_deformable_data *deformable)
{
    if (!deformable->plate_expected)
        deformable->plate_expected = PLI_ALLOCATE(&world->memory, pli_particle, 2 * (int64_t)deformable->capacity);
    if (!deformable->good_expected)
        deformable->good_expected = PLI_ALLOCATE(&world->memory, pli_particle, 2 * (int64_t)deformable->capacity);
    return deformable->plate_expected && deformable->good_expected;
}

/* ---- what is held -------------------------------------------------------------------------------- */

static int32_t triangle_of_pull(int32_t place) { return place / (3 * PLI_BATCH) * PLI_BATCH + place % PLI_BATCH; }

typedef PLI_ARRAY(int32_t) numbers;

// Takes the masses in effect, and lists the particles that are held or released by that.
static bool take_masses(pli_memory *memory, const pli_deformable_data *deformable, const pli_plate_state *state,
                        numbers *turned)
{
    for (int32_t i = 0; i < state->key.count; i++) {
        const float now = deformable->particles[i].w;
        if (state->masses[i] == now)
            continue;
        if (!pli_array_reserve(memory, turned, turned->count + 1))
            return false;
        turned->items[turned->count++] = i;
        state->masses[i] = now;
    }
    return true;
}

// Clamps edges at the triangles of a particle, or sets them free.
static void put_triangles(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t particle)
{
    for (int32_t i = state->pull_begins[particle]; i < state->pull_begins[particle + 1]; i++)
        for (int32_t k = 0; k < 3; k++) {
            const int32_t edge = state->mesh.edge_of[3 * triangle_of_pull(state->pull_places[i]) + k];
            state->clamped[edge] = pli_plate_edge_is_clamped(deformable, state, edge);
            pli_plate_put_shares(deformable, state, edge);
        }
}

static bool is_held(const pli_plate_state *state, int32_t unknown)
{
    return unknown < state->key.count ? !(state->masses[unknown] > 0.0f) : state->clamped[unknown - state->key.count];
}

// Lists the unknowns that are held and were not in the base, or the other way round. False when there are too many.
static bool list_changed(pli_plate_state *state)
{
    state->changed_count = 0;
    for (int32_t i = 0; i < pli_plate_unknowns(state); i++)
        if ((state->places[i] < 0) != is_held(state, i)) {
            if (state->changed_count == PLI_BORDER_MOST)
                return false;
            state->changed[state->changed_count++] = i;
        }
    return true;
}

/* ---- columns ------------------------------------------------------------------------------------- */

typedef struct columns {
    pli_memory *memory;
    const pli_deformable_data *deformable;
    const pli_plate_state *state;
    numbers places;
    PLI_ARRAY(double) values;
    int32_t *offsets;
    double *corner;
} columns;

static bool add_entry(columns *c, int32_t place, double value)
{
    if (!pli_array_reserve(c->memory, &c->places, c->places.count + 1) ||
        !pli_array_reserve(c->memory, &c->values, c->values.count + 1))
        return false;
    c->places.items[c->places.count++] = place;
    c->values.items[c->values.count++] = value;
    return true;
}

// The number among the changed unknowns, or -1.
static int32_t number_of(const pli_plate_state *state, int32_t unknown)
{
    for (int32_t i = 0; i < state->changed_count; i++)
        if (state->changed[i] == unknown)
            return i;
    return -1;
}

// Adds what an element has in the column of an unknown that joins.
static bool add_element(columns *c, int32_t column, int32_t triangle)
{
    const pli_plate_state *state = c->state;
    pli_plate_element element;
    int32_t unknowns[6], own = 0;
    double values[36];
    if (!state->valid[triangle] || !pli_plate_element_of(c->deformable, state, triangle, &element))
        return true;
    pli_plate_element_matrix(c->deformable, state, triangle, &element, unknowns, values);
    while (unknowns[own] != state->changed[column])
        own++;
    for (int32_t k = 0; k < 6; k++) {
        const int32_t place = state->places[unknowns[k]], number = place < 0 ? number_of(state, unknowns[k]) : -1;
        if (place >= 0 && !add_entry(c, place, values[6 * own + k]))
            return false;
        if (number >= 0)
            c->corner[column * state->changed_count + number] += values[6 * own + k];
    }
    return true;
}

static bool add_released(columns *c, int32_t column)
{
    const pli_plate_state *state = c->state;
    const int32_t unknown = state->changed[column], count = state->key.count;
    bool enough = true;
    c->corner[column * (state->changed_count + 1)] += pli_plate_inertia(
        state, unknown, unknown < count ? state->masses[unknown] : 0.0f);
    if (unknown < count)
        for (int32_t i = state->pull_begins[unknown]; i < state->pull_begins[unknown + 1]; i++)
            enough = enough && add_element(c, column, triangle_of_pull(state->pull_places[i]));
    for (int32_t k = 0; k < 2 && unknown >= count; k++) {
        const int32_t side = state->mesh.sides[2 * (size_t)(unknown - count) + (size_t)k];
        enough = enough && (side < 0 || add_element(c, column, side / 3));
    }
    return enough;
}

static bool fill_columns(columns *c)
{
    const pli_plate_state *state = c->state;
    for (int32_t i = 0; i < state->changed_count; i++) {
        const int32_t place = state->places[state->changed[i]];
        if (place >= 0 ? !add_entry(c, place, 1.0) : !add_released(c, i))
            return false;
        c->offsets[i + 1] = c->places.count;
    }
    return true;
}

static pli_factor_result make_border(pli_world *world, const pli_deformable_data *deformable, pli_plate_state *state)
{
    const size_t count = (size_t)state->changed_count;
    columns c = {
        .memory = &world->memory,
        .deformable = deformable,
        .state = state,
        .offsets = PLI_ALLOCATE(&world->memory, int32_t, count + 1),
        .corner = PLI_ALLOCATE(&world->memory, double, count *count),
    };
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (c.offsets && c.corner && fill_columns(&c)) {
        const pli_border_columns given = {(int32_t)count, c.offsets, c.places.items, c.values.items, c.corner};
        result = pli_border_make(c.memory, &state->factor, world->kernels->panels, &given, state->scratch.vector,
                                 state->scratch.panels, &state->border);
    }
    pli_release(c.memory, c.offsets);
    pli_release(c.memory, c.corner);
    pli_array_release(c.memory, &c.places);
    pli_array_release(c.memory, &c.values);
    return result;
}

/* ---- the masses in effect ------------------------------------------------------------------------- */

pli_factor_result pli_plate_hold(pli_world *world, const pli_deformable_data *deformable, pli_plate_state *state)
{
    numbers turned = {0};
    pli_border_free(&world->memory, &state->border);
    if (!state->changed)
        state->changed = PLI_ALLOCATE(&world->memory, int32_t, PLI_BORDER_MOST);
    if (!state->released)
        state->released = PLI_ALLOCATE(&world->memory, pli_particle, PLI_BORDER_MOST);
    const bool enough = state->changed && state->released && take_masses(&world->memory, deformable, state, &turned);
    for (int32_t i = 0; enough && i < turned.count; i++)
        put_triangles(deformable, state, turned.items[i]);
    pli_array_release(&world->memory, &turned);
    if (!enough)
        return PLI_FACTOR_NO_MEMORY;
    if (!list_changed(state))
        return PLI_FACTOR_NOT_POSITIVE;
    if (state->changed_count == 0)
        return PLI_FACTOR_OK;
    return state->factor.dissection.count > 0 ? make_border(world, deformable, state) : PLI_FACTOR_NOT_POSITIVE;
}
