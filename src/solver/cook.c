// From stencils to the arrays that kernels read: rest values, colours, slots, padding.
//
// Types of fixed cardinality lie in structures of arrays, colour by colour, each colour padded to
// PLI_BATCH slots whose particles are the dummy. Variable types lie one after the other.
#include "solver/grid.h"
#include "solver/measure_rest.h"
#include "solver/schedule.h"
#include "solver/set.h"

#include <string.h>

typedef struct cooking {
    pli_world *world;
    pli_set *set;
    const pli_stencils *stencils;
    pli_rest_values rest;
    int32_t *places, *offsets; // Of the kept stencils; offsets for variable types only.
    pli_schedule schedule;
} cooking;

static pli_memory *memory_of(const cooking *c)
{
    return &c->world->memory;
}

static int32_t largest_stencil(const pli_stencils *s)
{
    int32_t largest = s->cardinality;
    for (int32_t i = 0; s->offsets && i < s->count; i++)
        largest = pli_stencil_size(s, i) > largest ? pli_stencil_size(s, i) : largest;
    return largest;
}

// Copies the kept stencils' particles as internal places.
static bool take_places(cooking *c)
{
    int64_t total = 0;
    for (int32_t i = 0; i < c->rest.count; i++)
        total += pli_stencil_size(c->stencils, c->rest.kept[i]);
    c->places = PLI_ALLOCATE(memory_of(c), int32_t, total);
    c->offsets = PLI_ALLOCATE(memory_of(c), int32_t, (int64_t)c->rest.count + 1);
    if (!c->places || !c->offsets || total > INT32_MAX)
        return false;
    for (int32_t i = 0; i < c->rest.count; i++) {
        int32_t n = pli_stencil_size(c->stencils, c->rest.kept[i]);
        const int32_t *particles = pli_stencil_particles(c->stencils, c->rest.kept[i]);
        for (int32_t k = 0; k < n; k++)
            c->places[c->offsets[i] + k] = pli_place(c->set->body, particles[k]);
        c->offsets[i + 1] = c->offsets[i] + n;
    }
    return true;
}

static bool schedule(cooking *c)
{
    if (!pli_runs_plan(c->world, c->set, c->places, c->rest.count, &c->schedule))
        return false;
    if (c->set->runs)
        return true;
    if (c->world->order == PLI_ORDER_COLOURED)
        return pli_schedule_colour(memory_of(c), c->places, c->offsets, 0, c->rest.count, c->set->body->count,
                                   &c->schedule);
    c->schedule.order = PLI_ALLOCATE(memory_of(c), int32_t, c->rest.count);
    c->schedule.colour_offsets = PLI_ALLOCATE(memory_of(c), int32_t, 2);
    if (!c->schedule.order || !c->schedule.colour_offsets)
        return false;
    for (int32_t i = 0; i < c->rest.count; i++)
        c->schedule.order[i] = i;
    c->schedule.colour_count = 1;
    c->schedule.colour_offsets[1] = c->rest.count;
    return true;
}

// Places colours among the slots and constraints in their colours.
static bool place_slots(cooking *c)
{
    pli_set *set = c->set;
    bool batches = c->world->order == PLI_ORDER_COLOURED && set->type->cardinality > 0 && !set->runs;
    int32_t pad = batches ? PLI_BATCH : 1;
    set->pad = pad;
    set->count = c->rest.count;
    set->colour_offsets = PLI_ALLOCATE(memory_of(c), int32_t, (int64_t)c->schedule.colour_count + 1);
    set->colour_sizes = PLI_ALLOCATE(memory_of(c), int32_t, c->schedule.colour_count);
    set->slot_of = PLI_ALLOCATE(memory_of(c), int32_t, set->count);
    if (!set->colour_offsets || !set->colour_sizes || !set->slot_of)
        return false;
    set->colour_count = c->schedule.colour_count;
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t begin = c->schedule.colour_offsets[colour], end = c->schedule.colour_offsets[colour + 1];
        for (int32_t i = begin; i < end; i++)
            set->slot_of[c->schedule.order[i]] = set->colour_offsets[colour] + i - begin;
        set->colour_sizes[colour] = end - begin;
        set->colour_offsets[colour + 1] = set->colour_offsets[colour] + (end - begin + pad - 1) / pad * pad;
    }
    set->slot_count = set->colour_offsets[set->colour_count];
    return true;
}

static bool allocate_slots(cooking *c)
{
    pli_set *set = c->set;
    // Kernels that go by runs load whole registers, also behind the last slot.
    int64_t slots = (int64_t)set->slot_count + (set->runs ? PLI_BATCH : 0);
    bool complete = true;
    for (int32_t d = 0; d < set->type->dimension; d++)
        complete = (set->lambda[d] = PLI_ALLOCATE(memory_of(c), float, slots)) && complete;
    for (int32_t k = 0; k < set->type->cardinality; k++)
        complete = (set->index[k] = PLI_ALLOCATE(memory_of(c), int32_t, slots)) && complete;
    for (int32_t j = 0; j < set->type->rest_count && set->type->cardinality > 0; j++)
        complete = (set->rest[j] = PLI_ALLOCATE(memory_of(c), float, slots)) && complete;
    if (set->type->compliance_scale)
        complete = (set->compliance_scale = PLI_ALLOCATE(memory_of(c), float, slots)) && complete;
    if (set->type->needs_normals) {
        complete = (set->state = PLI_ALLOCATE(memory_of(c), float, slots)) && complete;
        complete = (set->good_state = PLI_ALLOCATE(memory_of(c), float, slots)) && complete;
    }
    return complete;
}

// Padding repeats the numbers of the colour's first constraint between dummies.
static void fill_slot(const cooking *c, int32_t slot, int32_t constraint, bool padding)
{
    pli_set *set = c->set;
    int32_t stencil = c->rest.kept[constraint];
    for (int32_t k = 0; k < set->type->cardinality; k++)
        set->index[k][slot] = padding ? set->body->capacity : c->places[c->offsets[constraint] + k];
    for (int32_t j = 0; j < set->type->rest_count; j++)
        set->rest[j][slot] = c->rest.values[c->rest.offsets[stencil] + j];
    if (set->compliance_scale)
        set->compliance_scale[slot] = c->rest.scales[stencil];
    if (set->state)
        set->state[slot] = set->rest[0][slot] < 0.0f ? -1.0f : 1.0f;
}

static void fill_fixed(const cooking *c)
{
    pli_set *set = c->set;
    for (int32_t colour = 0; colour < set->colour_count; colour++) {
        int32_t begin = c->schedule.colour_offsets[colour];
        int32_t size = c->schedule.colour_offsets[colour + 1] - begin;
        for (int32_t slot = set->colour_offsets[colour]; slot < set->colour_offsets[colour + 1]; slot++) {
            int32_t i = slot - set->colour_offsets[colour];
            fill_slot(c, slot, c->schedule.order[begin + (i < size ? i : 0)], i >= size);
        }
    }
    for (int32_t j = 0; j < set->type->rest_count; j++) {
        bool zero = true;
        for (int32_t slot = 0; slot < set->slot_count; slot++)
            zero = zero && set->rest[j][slot] == 0.0f;
        set->zero_rest |= (uint32_t)zero << j;
    }
}

static bool allocate_variable(cooking *c)
{
    pli_set *set = c->set;
    int64_t triangles = 0, values = 0;
    for (int32_t i = 0; i < set->count; i++) {
        int32_t stencil = c->rest.kept[i];
        triangles += pli_stencil_triangles(c->stencils, stencil);
        values += c->rest.offsets[stencil + 1] - c->rest.offsets[stencil];
    }
    set->member_spans = PLI_ALLOCATE(memory_of(c), pli_span, set->count);
    set->members = PLI_ALLOCATE(memory_of(c), int32_t, c->offsets[set->count]);
    set->rest_spans = PLI_ALLOCATE(memory_of(c), pli_span, set->count);
    set->variable_rest = PLI_ALLOCATE(memory_of(c), float, values);
    set->triangle_spans = PLI_ALLOCATE(memory_of(c), pli_span, set->count);
    set->triangles = PLI_ALLOCATE(memory_of(c), int32_t, 3 * triangles);
    set->local_triangles = PLI_ALLOCATE(memory_of(c), int32_t, 3 * triangles);
    if (!set->body->scratch)
        set->body->scratch = PLI_ALLOCATE(memory_of(c), double, 3 * (int64_t)set->body->capacity);
    return set->member_spans && set->members && set->rest_spans && set->variable_rest && set->triangle_spans &&
           set->triangles && set->local_triangles && set->body->scratch;
}

static void fill_variable(const cooking *c)
{
    pli_set *set = c->set;
    pli_span member = {0, 0}, rest = {0, 0}, triangle = {0, 0};
    for (int32_t slot = 0; slot < set->count; slot++) {
        int32_t constraint = c->schedule.order[slot], stencil = c->rest.kept[constraint];
        int32_t n = c->offsets[constraint + 1] - c->offsets[constraint];
        int32_t triangles = pli_stencil_triangles(c->stencils, stencil);
        int32_t values = c->rest.offsets[stencil + 1] - c->rest.offsets[stencil];
        member.end += n, rest.end += values, triangle.end += triangles;
        int32_t *members = set->members + member.begin;
        memcpy(members, c->places + c->offsets[constraint], (size_t)n * sizeof *members);
        memcpy(set->variable_rest + rest.begin, c->rest.values + c->rest.offsets[stencil],
               (size_t)values * sizeof *set->variable_rest);
        for (int32_t t = 0; t < 3 * triangles; t++) {
            int32_t local = c->stencils->triangles[3 * c->stencils->triangle_offsets[stencil] + t];
            set->local_triangles[3 * triangle.begin + t] = local;
            set->triangles[3 * triangle.begin + t] = members[local];
        }
        set->member_spans[slot] = member, set->rest_spans[slot] = rest, set->triangle_spans[slot] = triangle;
        member.begin = member.end, rest.begin = rest.end, triangle.begin = triangle.end;
        if (set->compliance_scale)
            set->compliance_scale[slot] = c->rest.scales[stencil];
    }
}

static bool keep_areas(cooking *c)
{
    pli_set *set = c->set;
    if (!c->stencils->areas)
        return true;
    set->areas = PLI_ALLOCATE(memory_of(c), double, set->count);
    for (int32_t i = 0; set->areas && i < set->count; i++)
        set->areas[i] = c->stencils->areas[c->rest.kept[i]];
    return set->areas != NULL;
}

static bool cook(cooking *c)
{
    pli_set *set = c->set;
    int32_t largest = largest_stencil(c->stencils);
    if (!pli_rest_measure(memory_of(c), set, c->stencils, largest, &c->rest) || !take_places(c) || !schedule(c) ||
        !place_slots(c) || !allocate_slots(c) || !keep_areas(c))
        return false;
    set->degenerate_count = c->stencils->degenerate_count + c->stencils->count - c->rest.count;
    set->largest = largest;
    // Positions and normals of 3, and up to 3 gradients of 3, a particle; particles and triangles of their own.
    set->evaluation = PLI_ALLOCATE(memory_of(c), double, 15 * (int64_t)largest);
    if (!set->evaluation)
        return false;
    if (set->type->cardinality > 0)
        fill_fixed(c);
    else if (allocate_variable(c))
        fill_variable(c);
    else
        return false;
    return true;
}

pli_status pli_set_cook(pli_world *world, pli_set *set, const pli_stencils *stencils, pli_error *error)
{
    cooking c = {.world = world, .set = set, .stencils = stencils};
    size_t before = world->memory.bytes;
    bool complete = cook(&c);
    pli_release(&world->memory, c.places);
    pli_release(&world->memory, c.offsets);
    pli_schedule_release(&world->memory, &c.schedule);
    pli_rest_release(&world->memory, &c.rest);
    set->memory = world->memory.bytes - before;
    if (complete && world->order == PLI_ORDER_SEQUENTIAL) {
        pli_release(&world->memory, set->slot_of);
        set->slot_of = NULL;
    }
    return complete ? pli_succeed(error) : pli_fail_memory(error);
}
