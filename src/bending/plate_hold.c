// Borders of plates: bending/plate_hold.h.
#include "bending/plate_hold.h"

static int32_t triangle_of_pull(int32_t place) { return place / (3 * PLI_BATCH) * PLI_BATCH + place % PLI_BATCH; }

// Clamps or releases the edges at the triangles of a particle.
static void put_triangles(const pli_deformable_data *deformable, const pli_plate_state *state, int32_t particle)
{
    for (int32_t i = state->pull_begins[particle]; i < state->pull_begins[particle + 1]; i++)
        for (int32_t k = 0; k < 3; k++) {
            const int32_t edge = state->mesh.edge_of[3 * triangle_of_pull(state->pull_places[i]) + k];
            state->clamped[edge] = pli_plate_edge_is_clamped(deformable, state, edge);
            pli_plate_put_shares(deformable, state, edge);
        }
}

bool pli_plate_take_masses(pli_world *world, const pli_deformable_data *deformable)
{
    pli_implicit_numbers turned = {0};
    pli_plate_state *state = deformable->plate;
    const bool enough = pli_implicit_take_masses(&world->memory, deformable, &state->system, &turned);
    for (int32_t i = 0; enough && i < turned.count; i++)
        put_triangles(deformable, state, turned.items[i]);
    pli_array_release(&world->memory, &turned);
    return enough;
}

bool pli_plate_is_held(const pli_deformable_data *deformable, int32_t unknown)
{
    const pli_plate_state *state = deformable->plate;
    return unknown < state->key.count ? !(state->system.masses[unknown] > 0.0f)
                                      : state->clamped[unknown - state->key.count];
}

// Adds the entries of an element in the column of an unknown.
static bool add_element(const pli_deformable_data *deformable, int32_t unknown, int32_t triangle,
                        pli_implicit_columns *columns)
{
    const pli_plate_state *state = deformable->plate;
    pli_plate_element element;
    int32_t unknowns[6], own = 0;
    double values[36];
    bool enough = true;
    if (!state->valid[triangle] || !pli_plate_element_of(deformable, state, triangle, &element))
        return true;
    pli_plate_element_matrix(deformable, state, triangle, &element, unknowns, values);
    while (unknowns[own] != unknown)
        own++;
    for (int32_t k = 0; k < 6; k++)
        enough = enough && pli_implicit_add(columns, unknowns[k], values[6 * own + k]);
    return enough;
}

bool pli_plate_add_column(const pli_deformable_data *deformable, int32_t unknown, pli_implicit_columns *columns)
{
    const pli_plate_state *state = deformable->plate;
    const int32_t count = state->key.count;
    bool enough = pli_implicit_add(
        columns, unknown, pli_plate_inertia(state, unknown, unknown < count ? state->system.masses[unknown] : 0.0f));
    if (unknown < count)
        for (int32_t i = state->pull_begins[unknown]; i < state->pull_begins[unknown + 1]; i++)
            enough = enough && add_element(deformable, unknown, triangle_of_pull(state->pull_places[i]), columns);
    for (int32_t k = 0; k < 2 && unknown >= count; k++) {
        const int32_t side = state->mesh.sides[2 * (size_t)(unknown - count) + (size_t)k];
        enough = enough && (side < 0 || add_element(deformable, unknown, side / 3, columns));
    }
    return enough;
}
