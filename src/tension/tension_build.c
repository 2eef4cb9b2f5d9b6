// The structure of a system of tension: its constraints, unknowns, graph and fronts. See tension/tension_system.h.
#include "base/hash.h"
#include "membrane/membrane.h"
#include "schedule/constraint_slots.h"
#include "tension/tension.h"
#include "tension/tension_band.h"
#include "tension/tension_factor.h"

bool pli_constraint_set_is_tensile(const pli_constraint_set_data *set)
{
    const bool pulls = set->type->carries_tension || (set->row && set->row->soften);
    return pulls && set->row && set->type->cardinality > 0 && set->type->cardinality <= PLI_TENSILE_PARTICLES &&
           set->type->dimension <= PLI_TENSILE_VALUES && !set->type->sense_parameter &&
           (set->type->sense == PLI_SENSE_EQUAL || set->type->sense == PLI_SENSE_AT_MOST) && !set->of_attachment &&
           !pli_constraint_set_is_membrane(set);
}

/* ---- what it was made for ------------------------------------------------------------------------- */

static void places_of(const pli_constraint_set_data *set, int32_t i, int32_t *slot, int32_t places[PLI_CARDINALITY_MAX])
{
    *slot = pli_constraint_set_slot(set, i);
    pli_constraint_set_slot_particles(set, *slot, places);
}

static uint64_t hash_set(uint64_t hash, const pli_constraint_set_data *set)
{
    hash = pli_hash_mix(pli_hash_mix(hash, set->id), (uint64_t)set->count);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t slot, places[PLI_CARDINALITY_MAX];
        places_of(set, i, &slot, places);
        hash = pli_hash_mix(hash, (uint64_t)slot);
        for (int32_t k = 0; k < set->type->cardinality; k++)
            hash = pli_hash_mix(hash, (uint64_t)places[k]);
    }
    return hash;
}

static uint64_t key_of(const pli_deformable_data *deformable)
{
    uint64_t hash = pli_hash_mix(PLI_HASH_START, (uint64_t)deformable->count);
    for (int32_t i = 0; i < deformable->count; i++)
        if (!(deformable->particles[i].w > 0.0f))
            hash = pli_hash_mix(hash, (uint64_t)i);
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraint_set_is_tensile(set))
            hash = hash_set(hash, set);
    return hash;
}

bool pli_tension_is_current(const pli_deformable_data *deformable, const pli_tension *tension)
{
    return tension && tension->key == key_of(deformable);
}

int64_t pli_tension_constraints(const pli_tension *tension) { return tension ? tension->item_count : 0; }

/* ---- lists ---------------------------------------------------------------------------------------- */

static void count_items(const pli_deformable_data *deformable, pli_tension *t)
{
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (pli_constraint_set_is_tensile(set))
            t->set_count++, t->item_count += set->count;
}

static void number_unknowns(const pli_deformable_data *deformable, pli_tension *t)
{
    for (int32_t i = 0; i < deformable->count; i++) {
        const bool free = deformable->particles[i].w > 0.0f;
        t->numbers[i] = free ? t->free_count : -1;
        if (free)
            t->free_particles[t->free_count++] = i;
    }
}

static void list_item(const pli_tension *t, const pli_constraint_set_data *set, int32_t i, pli_tensile *item)
{
    int32_t places[PLI_CARDINALITY_MAX];
    places_of(set, i, &item->slot, places);
    for (int32_t k = 0; k < PLI_TENSILE_PARTICLES; k++) {
        const bool there = k < set->type->cardinality;
        item->places[k] = there ? places[k] : -1;
        item->unknowns[k] = there ? t->numbers[places[k]] : -1;
    }
}

static void list_items(const pli_deformable_data *deformable, pli_tension *t)
{
    int32_t sets = 0, first = 0;
    for (pli_constraint_set_data *set = deformable->first_set; set; set = set->next) {
        if (!pli_constraint_set_is_tensile(set))
            continue;
        t->sets[sets++] = (pli_tensile_set){set, first, set->count};
        for (int32_t i = 0; i < set->count; i++)
            list_item(t, set, i, &t->items[first + i]);
        first += set->count;
    }
}

/* ---- the graph ------------------------------------------------------------------------------------ */

static bool make_graph(pli_memory *memory, pli_tension *t)
{
    enum { SIZE = PLI_TENSILE_PARTICLES };
    int32_t *unknowns = PLI_ALLOCATE_UNSET(memory, int32_t, (int64_t)t->item_count * SIZE + 1);
    double *values = PLI_ALLOCATE(memory, double, (int64_t)t->item_count *SIZE *SIZE + 1);
    double *diagonal = PLI_ALLOCATE(memory, double, t->free_count + 1);
    bool complete = unknowns && values && diagonal;
    for (int32_t i = 0; complete && i < t->item_count; i++)
        for (int32_t k = 0; k < SIZE; k++)
            unknowns[SIZE * i + k] = t->items[i].unknowns[k];
    const pli_elements elements = {t->item_count, SIZE, unknowns, values, NULL};
    complete = complete && pli_symmetric_matrix_assemble(memory, t->free_count, &elements, diagonal, &t->graph);
    pli_release(memory, unknowns), pli_release(memory, values), pli_release(memory, diagonal);
    return complete;
}

static bool divide(pli_memory *memory, const pli_deformable_data *deformable, pli_tension *t)
{
    double *points = PLI_ALLOCATE_UNSET(memory, double, 3 * (int64_t)t->free_count + 1);
    for (int32_t i = 0; points && i < 3 * t->free_count; i++) {
        const int32_t vertex = pli_vertex(deformable, t->free_particles[i / 3]);
        points[i] = (double)deformable->shape.positions[3 * (int64_t)vertex + i % 3];
    }
    bool complete = points && pli_dissection_make(memory, &t->graph, points, &t->dissection);
    pli_release(memory, points);
    return complete;
}

static int32_t entry_of(const pli_tension *t, int32_t row, int32_t column)
{
    int32_t k = t->graph.offsets[row];
    while (t->graph.columns[k] != column)
        k++;
    return k;
}

static void find_entries(pli_tension *t)
{
    for (int32_t i = 0; i < t->free_count; i++)
        t->diagonal[i] = entry_of(t, i, i);
    for (int32_t i = 0; i < t->item_count; i++) {
        pli_tensile *item = &t->items[i];
        for (int32_t a = 0; a < PLI_TENSILE_PARTICLES; a++)
            for (int32_t b = 0; b < PLI_TENSILE_PARTICLES; b++) {
                const int32_t row = item->unknowns[a], column = item->unknowns[b];
                const bool stored = row >= 0 && column >= 0 &&
                                    t->dissection.places[column] >= t->dissection.places[row];
                item->entries[a][b] = stored ? entry_of(t, row, column) : -1;
            }
    }
}

/* ---- public --------------------------------------------------------------------------------------- */

void pli_tension_free(pli_memory *memory, pli_tension *t)
{
    if (!t)
        return;
    pli_symmetric_matrix_free(memory, &t->graph);
    pli_dissection_free(memory, &t->dissection);
    void *const arrays[] = {t->sets,     t->items,   t->free_particles, t->numbers, t->blocks,
                            t->diagonal, t->vector,  t->ordered,        t->fronts,  t->rows,
                            t->local,    t->columns, t->remainders,     t->front,   t->carried};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    pli_release(memory, t);
}

// Counts constraints, and gives them and the unknowns memory.
static bool allocate_lists(pli_memory *memory, const pli_deformable_data *deformable, pli_tension *t)
{
    count_items(deformable, t);
    t->sets = PLI_ALLOCATE(memory, pli_tensile_set, t->set_count + 1);
    t->items = PLI_ALLOCATE(memory, pli_tensile, t->item_count + 1);
    t->numbers = PLI_ALLOCATE_UNSET(memory, int32_t, deformable->count + 1);
    t->free_particles = PLI_ALLOCATE_UNSET(memory, int32_t, deformable->count + 1);
    return t->sets && t->items && t->numbers && t->free_particles;
}

static bool fill(pli_memory *memory, const pli_deformable_data *deformable, pli_tension *t)
{
    if (!allocate_lists(memory, deformable, t))
        return false;
    number_unknowns(deformable, t);
    list_items(deformable, t);
    if (t->free_count == 0 || t->item_count == 0)
        return true; // There is nothing to solve for.
    if (!make_graph(memory, t) || !pli_tension_order_band(memory, t))
        return false;
    t->banded = t->band <= PLI_BAND_MOST;
    if (!t->banded) {
        pli_dissection_free(memory, &t->dissection);
        if (!divide(memory, deformable, t))
            return false;
    }
    t->blocks = pli_allocate_unset(memory, (size_t)t->graph.offsets[t->free_count] + 1, sizeof *t->blocks);
    t->diagonal = PLI_ALLOCATE_UNSET(memory, int32_t, t->free_count + 1);
    t->vector = PLI_ALLOCATE_UNSET(memory, double, 3 * (int64_t)t->free_count + 1);
    t->ordered = PLI_ALLOCATE_UNSET(memory, double, 3 * (int64_t)t->free_count + 1);
    t->carried = pli_allocate(memory, (size_t)t->free_count + 1, sizeof *t->carried);
    if (!t->blocks || !t->diagonal || !t->vector || !t->ordered || !t->carried)
        return false;
    find_entries(t);
    return t->banded ? pli_tension_find_band(memory, t) : pli_tension_find_fronts(memory, t);
}

pli_tension *pli_tension_make(pli_world *world, const pli_deformable_data *deformable)
{
    pli_tension *t = PLI_ALLOCATE(&world->memory, pli_tension, 1);
    if (!t)
        return NULL;
    t->key = key_of(deformable);
    if (fill(&world->memory, deformable, t))
        return t;
    pli_tension_free(&world->memory, t);
    return NULL;
}

bool pli_tension_is_narrow(pli_memory *memory, const pli_deformable_data *deformable)
{
    pli_tension *t = PLI_ALLOCATE(memory, pli_tension, 1);
    bool narrow = false;
    if (t && allocate_lists(memory, deformable, t)) {
        for (int32_t i = 0; i < deformable->count; i++)
            t->numbers[i] = i;
        t->free_count = deformable->count;
        list_items(deformable, t);
        narrow = t->item_count > 0 && make_graph(memory, t) && pli_tension_order_band(memory, t) &&
                 t->band <= PLI_BAND_MOST;
    }
    pli_tension_free(memory, t);
    return narrow;
}
