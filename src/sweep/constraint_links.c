// Constraints added, moved and removed by cuts: sweep/constraint_links.h.
//
// Each colour has spare slots after its constraints, filled with dummies; spare slots for new colours follow the last colour:
//
//   | c3 c7 c1 .. | c0 c4 .... | c2 c6 .. |  spare  |      . dummy: a constraint between dummy particles
//     colour 0      colour 1     colour 2  ^ slot_count    ^ slot_capacity
#include "sweep/constraint_links.h"

#include "sweep/constraint_slots.h"

#include <string.h>

// Minimum number of colours or constraints to reserve, and the fraction 1 / SPARE_SHARE of spare slots.
enum { SPARE_COLOURS = 64, LINKS_SPARE_SHARE = 8 };

static int32_t first_entry(const pli_constraints_data *set, int32_t constraint)
{
    return set->type->cardinality > 0 ? constraint * set->type->cardinality
                                      : set->member_spans[pli_constraints_slot(set, constraint)].begin;
}

static int32_t constraint_size(const pli_constraints_data *set, int32_t constraint)
{
    if (set->type->cardinality > 0)
        return set->type->cardinality;
    pli_span span = set->member_spans[pli_constraints_slot(set, constraint)];
    return span.end - span.begin;
}

static int32_t constraint_particle(const pli_constraints_data *set, int32_t constraint, int32_t k)
{
    int32_t slot = pli_constraints_slot(set, constraint);
    return set->type->cardinality > 0 ? pli_index_place(set->index[k][slot])
                                      : set->members[set->member_spans[slot].begin + k];
}

static void set_particle(pli_constraints_data *set, int32_t constraint, int32_t k, int32_t place)
{
    int32_t slot = pli_constraints_slot(set, constraint);
    if (set->type->cardinality > 0)
        set->index[k][slot] = pli_index_of(place);
    else
        set->members[set->member_spans[slot].begin + k] = place;
}

// An entry is linked at the head of its particle's list.
static void link_entry(pli_constraints_data *set, int32_t entry, int32_t place)
{
    set->links->next[entry] = set->links->heads[place];
    set->links->heads[place] = entry;
}

static void replace_link(pli_constraints_data *set, int32_t place, int32_t entry, int32_t by)
{
    int32_t *at = &set->links->heads[place];
    while (*at != entry)
        at = &set->links->next[*at];
    *at = by;
}

static void unlink_entry(pli_constraints_data *set, int32_t entry, int32_t place)
{
    replace_link(set, place, entry, set->links->next[entry]);
}

/* ---- capacity ------------------------------------------------------------------------------------ */

static int32_t padded_slots(const pli_constraints_data *set, int32_t size)
{
    return (size + set->pad - 1) / set->pad * set->pad;
}

// An array of the set with one element for each slot.
typedef struct slot_array {
    void *array; // The address of the pointer to the array.
    size_t size; // Bytes of an element.
} slot_array;

static int32_t slot_arrays_of(pli_constraints_data *set, slot_array arrays[])
{
    int32_t n = 0;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        arrays[n++] = (slot_array){&set->index[k], sizeof(int32_t)};
    int32_t rows;
    const pli_attribute *row = pli_attribute_rows(PLI_ELEMENT_CONSTRAINT, &rows);
    for (; rows > 0; rows--, row++)
        for (int32_t k = 0; k < row->components; k++)
            if (pli_attribute_array(set, row, k))
                arrays[n++] = (slot_array){(char *)set + row->offset + (size_t)k * sizeof(float *), row->size};
    if (set->links->constraint_of)
        arrays[n++] = (slot_array){&set->links->constraint_of, sizeof(int32_t)};
    return n;
}

enum { SLOT_ARRAYS_MAX = 64 };

static void *pointer_in(const slot_array *c)
{
    void *array;
    memcpy(&array, c->array, sizeof array);
    return array;
}

// Copies the elements of a slot in every array.
static void copy_slot(pli_constraints_data *set, int32_t to, int32_t from)
{
    slot_array arrays[SLOT_ARRAYS_MAX];
    int32_t n = slot_arrays_of(set, arrays);
    for (int32_t i = 0; i < n; i++) {
        char *array = pointer_in(&arrays[i]);
        memcpy(array + (size_t)to * arrays[i].size, array + (size_t)from * arrays[i].size, arrays[i].size);
    }
}

static void clear_multipliers(pli_constraints_data *set, int32_t slot)
{
    for (int32_t d = 0; d < set->type->dimension && set->lambda[d]; d++)
        set->lambda[d][slot] = 0.0f;
    for (int32_t d = 0; d < set->type->dimension && set->mean[d]; d++)
        set->mean[d][slot] = 0.0f;
}

// Makes the constraint in a slot act only on the dummy particle, which is fixed, so that it changes nothing.
static void make_dummy(pli_constraints_data *set, int32_t slot)
{
    for (int32_t k = 0; k < set->type->cardinality; k++)
        set->index[k][slot] = pli_index_of(set->deformable->capacity);
    clear_multipliers(set, slot);
}

// Offsets of the colours when each gets a fraction of its size plus `more` slots; returns the slots of all colours.
static int64_t place_free_colours(const pli_constraints_data *set, int32_t *offsets, int32_t more)
{
    int64_t at = 0;
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t size = set->colour_sizes[colour];
        offsets[colour] = (int32_t)at;
        at += padded_slots(set, size + size / LINKS_SPARE_SHARE + more);
    }
    offsets[set->colour_count] = (int32_t)at;
    return at;
}

static bool move_slot_arrays(pli_world *world, pli_constraints_data *set, const int32_t *offsets, int64_t slots)
{
    slot_array arrays[SLOT_ARRAYS_MAX];
    char *fresh[SLOT_ARRAYS_MAX] = {NULL};
    int32_t n = slot_arrays_of(set, arrays);
    bool complete = slots <= INT32_MAX;
    for (int32_t i = 0; i < n && complete; i++)
        complete = (fresh[i] = pli_allocate(&world->memory, (size_t)slots, arrays[i].size)) != NULL;
    for (int32_t i = 0; i < n; i++) {
        char *old = pointer_in(&arrays[i]);
        size_t size = arrays[i].size;
        for (int32_t colour = 0; complete && colour < set->colour_count; colour++)
            memcpy(fresh[i] + (size_t)offsets[colour] * size, old + (size_t)set->colour_offsets[colour] * size,
                   (size_t)set->colour_sizes[colour] * size);
        pli_release(&world->memory, complete ? old : fresh[i]);
        if (complete)
            memcpy(arrays[i].array, &fresh[i], sizeof fresh[i]);
    }
    return complete;
}

static void fill_spare_slots(pli_constraints_data *set, int32_t colour)
{
    int32_t begin = set->colour_offsets[colour], size = set->colour_sizes[colour];
    for (int32_t slot = begin + size; slot < set->colour_offsets[colour + 1]; slot++) {
        if (size > 0)
            copy_slot(set, slot, begin);
        make_dummy(set, slot);
    }
}

// Gives every colour spare slots, and reserves slots for new colours after them. Sequential order has one colour, which gets all spare
// slots.
static bool redistribute(pli_world *world, pli_constraints_data *set, int32_t constraints)
{
    pli_links *links = set->links;
    int32_t more = constraints + SPARE_COLOURS, spare_colours = links->constraint_of ? more : 0;
    int32_t colours = set->colour_count + spare_colours;
    int32_t *offsets = PLI_ALLOCATE(&world->memory, int32_t, (int64_t)colours + 1);
    int32_t *sizes = PLI_ALLOCATE(&world->memory, int32_t, colours);
    uint32_t *marks = PLI_ALLOCATE(&world->memory, uint32_t, colours);
    int64_t used = offsets ? place_free_colours(set, offsets, more) : 0,
            slots = used + (int64_t)spare_colours * set->pad;
    bool complete = offsets && sizes && marks && move_slot_arrays(world, set, offsets, slots);
    if (!complete) {
        pli_release(&world->memory, offsets);
        pli_release(&world->memory, sizes);
        pli_release(&world->memory, marks);
        return false;
    }
    memcpy(sizes, set->colour_sizes, (size_t)set->colour_count * sizeof *sizes);
    pli_release(&world->memory, set->colour_offsets);
    pli_release(&world->memory, set->colour_sizes);
    pli_release(&world->memory, links->marks);
    set->colour_offsets = offsets, set->colour_sizes = sizes, links->marks = marks;
    links->stamp = 0;
    links->colour_capacity = colours;
    links->slot_capacity = (int32_t)slots;
    set->slot_count = (int32_t)used;
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        fill_spare_slots(set, colour);
        for (int32_t i = 0; links->constraint_of && i < sizes[colour]; i++)
            set->slot_of[links->constraint_of[offsets[colour] + i]] = offsets[colour] + i;
    }
    return true;
}

// Grows a list and fills its new part with -1.
static bool grow_list(pli_memory *memory, int32_t **list, int32_t *capacity, int64_t needed)
{
    int32_t before = *capacity;
    if (!pli_reserve(memory, list, capacity, needed, sizeof **list))
        return false;
    for (int32_t i = before; i < *capacity; i++)
        (*list)[i] = -1;
    return true;
}

static bool grow_constraints(pli_memory *memory, pli_constraints_data *set, int64_t needed)
{
    pli_links *links = set->links;
    if (set->type->cardinality == 0 || (needed <= links->count_capacity && links->next))
        return true;
    int64_t capacity = needed + needed / LINKS_SPARE_SHARE;
    int32_t a = links->count_capacity, b = links->next ? a * set->type->cardinality : 0;
    bool complete = (!set->slot_of || pli_reserve(memory, &set->slot_of, &a, capacity, sizeof *set->slot_of)) &&
                    pli_reserve(memory, &links->next, &b, capacity * set->type->cardinality, sizeof *links->next);
    if (complete)
        links->count_capacity = (int32_t)capacity;
    return complete;
}

bool pli_links_widen(pli_world *world, pli_constraints_data *set)
{
    return grow_list(&world->memory, &set->links->heads, &set->links->particle_capacity, set->deformable->capacity);
}

void pli_links_move_dummy(pli_constraints_data *set, int32_t dummy)
{
    for (int32_t k = 0; k < set->type->cardinality; k++)
        for (int32_t slot = 0; slot < set->slot_count; slot++)
            if (pli_index_place(set->index[k][slot]) == dummy)
                set->index[k][slot] = pli_index_of(set->deformable->capacity);
}

// Whether every colour has enough free slots for new constraints, and there is a spare colour for each constraint.
static bool has_free_slots(const pli_constraints_data *set, int32_t constraints, int32_t copies)
{
    const pli_links *links = set->links;
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t free = set->colour_offsets[colour + 1] - set->colour_offsets[colour] - set->colour_sizes[colour];
        // Each new constraint has a copied particle, and except for the overflow, no two of one colour share a particle.
        if (free < (copies < constraints && colour != set->overflow ? copies : constraints))
            return false;
    }
    return (links->slot_capacity - set->slot_count) / set->pad >= constraints &&
           links->colour_capacity - set->colour_count >= constraints;
}

bool pli_links_reserve(pli_world *world, pli_constraints_data *set, int32_t constraints, int32_t copies)
{
    pli_links *links = set->links;
    if (set->type->cardinality == 0)
        return true;
    if (!grow_constraints(&world->memory, set, (int64_t)set->count + constraints))
        return false;
    if (!links->constraint_of) {
        int32_t free = set->colour_offsets[1] - set->count;
        return free >= constraints || redistribute(world, set, constraints);
    }
    bool complete = has_free_slots(set, constraints, copies) || redistribute(world, set, constraints);
    links->wide_count = set->colour_count;
    return complete;
}

/* ---- building ---------------------------------------------------------------------------------- */

static void copy_origin(pli_constraints_data *set, int32_t slot, int32_t origin)
{
    const pli_span *spans = set->links->original_spans + 3 * origin;
    set->links->origins[slot] = origin;
    set->member_spans[slot] = spans[0], set->rest_spans[slot] = spans[1], set->triangle_spans[slot] = spans[2];
}

static bool record_origins(pli_memory *memory, pli_constraints_data *set)
{
    set->links->origins = PLI_ALLOCATE(memory, int32_t, set->slot_count);
    set->links->original_spans = PLI_ALLOCATE(memory, pli_span, 3 * (int64_t)set->count);
    if (!set->links->origins || !set->links->original_spans)
        return false;
    set->links->original_count = set->count;
    for (int32_t slot = 0; slot < set->count; slot++) {
        pli_span *spans = set->links->original_spans + 3 * slot;
        spans[0] = set->member_spans[slot], spans[1] = set->rest_spans[slot], spans[2] = set->triangle_spans[slot];
        set->links->origins[slot] = slot;
    }
    return true;
}

static bool allocate_owners(pli_memory *memory, pli_constraints_data *set)
{
    int32_t members = 0;
    for (int32_t slot = 0; slot < set->count; slot++)
        members = set->member_spans[slot].end > members ? set->member_spans[slot].end : members;
    set->links->owners = PLI_ALLOCATE(memory, int32_t, members);
    set->links->next = PLI_ALLOCATE(memory, int32_t, members);
    return set->links->owners && set->links->next;
}

static bool index_slots(pli_world *world, pli_constraints_data *set)
{
    if (world->order == PLI_ORDER_SEQUENTIAL)
        return true;
    set->links->constraint_of = PLI_ALLOCATE(&world->memory, int32_t, set->slot_count);
    for (int32_t i = 0; set->links->constraint_of && i < set->count; i++)
        set->links->constraint_of[set->slot_of[i]] = i;
    return set->links->constraint_of != NULL;
}

static void link_all(pli_constraints_data *set)
{
    for (int32_t i = 0; i < set->count; i++) {
        int32_t entry = first_entry(set, i), n = constraint_size(set, i);
        for (int32_t k = 0; k < n; k++) {
            link_entry(set, entry + k, constraint_particle(set, i, k));
            if (set->links->owners)
                set->links->owners[entry + k] = i;
        }
    }
}

bool pli_links_build(pli_world *world, pli_constraints_data *set)
{
    pli_memory *memory = &world->memory;
    size_t before = memory->bytes;
    pli_links *links = set->links = PLI_ALLOCATE(memory, pli_links, 1);
    pli_release(memory, set->tiles), set->tiles = NULL;
    if (!links)
        return false;
    links->count_capacity = set->count;
    pli_release(memory, set->contiguous_batches); // Cuts break the order that contiguous batches rely on.
    set->contiguous_batches = NULL;
    bool fixed = set->type->cardinality > 0;
    bool complete = pli_links_widen(world, set) && index_slots(world, set) &&
                    (fixed ? grow_constraints(memory, set, (int64_t)set->count + SPARE_COLOURS) &&
                                 redistribute(world, set, 0)
                           : allocate_owners(memory, set) && record_origins(memory, set));
    if (complete)
        link_all(set);
    else
        pli_links_free(world, set);
    set->memory += memory->bytes - before;
    return complete;
}

void pli_links_free(pli_world *world, pli_constraints_data *set)
{
    pli_links *links = set->links;
    if (!links)
        return;
    void *arrays[] = {links->heads, links->next,    links->owners,         links->constraint_of,
                      links->marks, links->origins, links->original_spans, links};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
    set->links = NULL;
}

/* ---- changes --------------------------------------------------------------------------------- */

static int32_t colour_of(const pli_constraints_data *set, int32_t slot)
{
    int32_t low = 0, high = set->colour_count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (set->colour_offsets[middle] <= slot)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void pli_links_move(pli_constraints_data *set, int32_t constraint, int32_t k, int32_t place)
{
    int32_t entry = first_entry(set, constraint) + k;
    unlink_entry(set, entry, constraint_particle(set, constraint, k));
    link_entry(set, entry, place);
    set_particle(set, constraint, k, place);
    if (!set->triangles)
        return;
    pli_span span = set->triangle_spans[pli_constraints_slot(set, constraint)];
    for (int32_t t = 3 * span.begin; t < 3 * span.end; t++)
        if (set->local_triangles[t] == k)
            set->triangles[t] = place;
}

// Marks the colours of all constraints on these particles with the present stamp.
static void mark_colours(pli_constraints_data *set, const int32_t *places)
{
    pli_links *links = set->links;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        for (int32_t e = links->heads[places[k]]; e >= 0; e = links->next[e])
            links->marks[colour_of(set, set->slot_of[pli_links_constraint(set, e)])] = links->stamp;
}

// The first colour that no constraint on these particles has, or else a new one. Memory that earlier cuts have reserved must not affect
// the choice, since a restored world has not reserved it: colours from before this cut have room for all of its constraints, and new
// colours of this cut have `pad` slots.
static int32_t free_colour(pli_constraints_data *set, const int32_t *places, const int32_t *origins)
{
    pli_links *links = set->links;
    if (!links->constraint_of)
        return 0;
    links->stamp++;
    mark_colours(set, places);
    mark_colours(set, origins);
    for (int32_t colour = 0; colour < set->colour_count; colour++)
        if (links->marks[colour] != links->stamp &&
            (colour < links->wide_count || set->colour_sizes[colour] < set->pad))
            return colour;
    set->slot_count += set->pad;
    set->colour_offsets[set->colour_count + 1] = set->slot_count;
    return set->colour_count++;
}

void pli_links_add(pli_constraints_data *set, int32_t constraint, const int32_t *places, const int32_t *origins)
{
    int32_t colour = free_colour(set, places, origins), fresh = set->count++;
    int32_t slot = set->colour_offsets[colour] + set->colour_sizes[colour]++;
    copy_slot(set, slot, pli_constraints_slot(set, constraint));
    for (int32_t k = 0; k < set->type->cardinality; k++) {
        set->index[k][slot] = pli_index_of(places[k]);
        link_entry(set, fresh * set->type->cardinality + k, places[k]);
    }
    clear_multipliers(set, slot);
    if (set->links->constraint_of)
        set->links->constraint_of[slot] = fresh, set->slot_of[fresh] = slot;
    if (set->colour_sizes[colour] == 1)
        fill_spare_slots(set, colour);
}

// Moves the last constraint of the colour into a slot that becomes free.
static void close_slot(pli_constraints_data *set, int32_t slot)
{
    int32_t colour = colour_of(set, slot), last = set->colour_offsets[colour] + --set->colour_sizes[colour];
    if (last != slot) {
        copy_slot(set, slot, last);
        if (set->type->cardinality == 0)
            copy_origin(set, slot, set->links->origins[last]);
        if (set->links->constraint_of)
            set->slot_of[set->links->constraint_of[slot]] = slot;
    }
    make_dummy(set, last);
}

// Assigns the number of a removed constraint to the last one, whose slot is already correct.
static void reuse_number(pli_constraints_data *set, int32_t number)
{
    pli_links *links = set->links;
    int32_t last = --set->count;
    if (last == number)
        return;
    if (set->slot_of)
        set->slot_of[number] = set->slot_of[last];
    if (links->constraint_of)
        links->constraint_of[set->slot_of[number]] = number;
    int32_t n = constraint_size(set, number), from = last * set->type->cardinality,
            to = number * set->type->cardinality;
    if (links->owners)
        for (int32_t k = 0, entry = first_entry(set, number); k < n; k++)
            links->owners[entry + k] = number;
    for (int32_t k = 0; k < n && !links->owners; k++) {
        links->next[to + k] = links->next[from + k];
        replace_link(set, constraint_particle(set, number, k), from + k, to + k);
    }
}

void pli_links_remove(pli_constraints_data *set, int32_t constraint)
{
    int32_t n = constraint_size(set, constraint), entry = first_entry(set, constraint);
    for (int32_t k = 0; k < n; k++)
        unlink_entry(set, entry + k, constraint_particle(set, constraint, k));
    close_slot(set, pli_constraints_slot(set, constraint));
    reuse_number(set, constraint);
}
