// Borders for fixed unknowns: bending/implicit.h.
#include "bending/implicit.h"

struct pli_implicit_columns {
    pli_memory *memory;
    const pli_implicit *system;
    pli_implicit_numbers places;
    PLI_ARRAY(double) values;
    int32_t *offsets;
    double *corner;
    int32_t column; // The column that is being filled.
};

bool pli_implicit_holds(const pli_deformable_data *deformable, const pli_implicit *system)
{
    for (int32_t i = 0; i < deformable->count; i++)
        if (system->masses[i] != deformable->particles[i].w)
            return false;
    return true;
}

bool pli_implicit_take_masses(pli_memory *memory, const pli_deformable_data *deformable, pli_implicit *system,
                              pli_implicit_numbers *turned)
{
    for (int32_t i = 0; i < system->count; i++) {
        const float now = deformable->particles[i].w;
        if (system->masses[i] == now)
            continue;
        if (!pli_array_reserve(memory, turned, turned->count + 1))
            return false;
        turned->items[turned->count++] = i;
        system->masses[i] = now;
    }
    return true;
}

// Lists the unknowns that are fixed now but free in the base, or the reverse. False if there are too many.
static bool list_changed(const pli_deformable_data *deformable, pli_implicit *system, const pli_implicit_energy *energy)
{
    system->changed_count = 0;
    for (int32_t i = 0; i < system->unknowns; i++)
        if ((system->places[i] < 0) != energy->is_held(deformable, i)) {
            if (system->changed_count == PLI_BORDER_MOST)
                return false;
            system->changed[system->changed_count++] = i;
        }
    return true;
}

static bool add_entry(pli_implicit_columns *c, int32_t place, double value)
{
    if (!pli_array_reserve(c->memory, &c->places, c->places.count + 1) ||
        !pli_array_reserve(c->memory, &c->values, c->values.count + 1))
        return false;
    c->places.items[c->places.count++] = place;
    c->values.items[c->values.count++] = value;
    return true;
}

// The index among the changed unknowns, or -1.
static int32_t number_of(const pli_implicit *system, int32_t unknown)
{
    for (int32_t i = 0; i < system->changed_count; i++)
        if (system->changed[i] == unknown)
            return i;
    return -1;
}

bool pli_implicit_add(pli_implicit_columns *c, int32_t unknown, double value)
{
    const int32_t place = c->system->places[unknown], number = place < 0 ? number_of(c->system, unknown) : -1;
    if (number >= 0)
        c->corner[c->column * c->system->changed_count + number] += value;
    return place < 0 || add_entry(c, place, value);
}

static bool fill_columns(const pli_deformable_data *deformable, const pli_implicit_energy *energy,
                         pli_implicit_columns *c)
{
    const pli_implicit *system = c->system;
    for (c->column = 0; c->column < system->changed_count; c->column++) {
        const int32_t unknown = system->changed[c->column], place = system->places[unknown];
        if (place >= 0 ? !add_entry(c, place, 1.0) : !energy->add_column(deformable, unknown, c))
            return false;
        c->offsets[c->column + 1] = c->places.count;
    }
    return true;
}

static pli_factor_result make_border(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                                     const pli_implicit_energy *energy)
{
    const size_t count = (size_t)system->changed_count;
    pli_implicit_columns c = {
        .memory = &world->memory,
        .system = system,
        .offsets = PLI_ALLOCATE(&world->memory, int32_t, count + 1),
        .corner = PLI_ALLOCATE(&world->memory, double, count *count),
    };
    pli_factor_result result = PLI_FACTOR_NO_MEMORY;
    if (c.offsets && c.corner && fill_columns(deformable, energy, &c)) {
        const pli_border_columns given = {(int32_t)count, c.offsets, c.places.items, c.values.items, c.corner};
        result = pli_border_make(c.memory, &system->factor, world->kernels->panels, &given, system->scratch.vector,
                                 system->scratch.panels, &system->border);
    }
    pli_release(c.memory, c.offsets);
    pli_release(c.memory, c.corner);
    pli_array_release(c.memory, &c.places);
    pli_array_release(c.memory, &c.values);
    return result;
}

pli_factor_result pli_implicit_hold(pli_world *world, const pli_deformable_data *deformable, pli_implicit *system,
                                    const pli_implicit_energy *energy)
{
    pli_border_free(&world->memory, &system->border);
    if (!system->changed)
        system->changed = PLI_ALLOCATE(&world->memory, int32_t, PLI_BORDER_MOST);
    if (!system->released)
        system->released = PLI_ALLOCATE(&world->memory, pli_particle, PLI_BORDER_MOST);
    if (!system->changed || !system->released)
        return PLI_FACTOR_NO_MEMORY;
    if (!list_changed(deformable, system, energy))
        return PLI_FACTOR_NOT_POSITIVE;
    if (system->changed_count == 0)
        return PLI_FACTOR_OK;
    return system->factor.dissection.count > 0 ? make_border(world, deformable, system, energy)
                                               : PLI_FACTOR_NOT_POSITIVE;
}
