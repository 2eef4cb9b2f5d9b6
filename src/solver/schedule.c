#include "solver/schedule.h"

// Colour OVERFLOW is for all that find none before it: a byte holds any.
enum { OVERFLOW = 63, COLOURS = 64 };

// Colours are filled up to multiples of this: what the widest back end takes at once, in every back end.
enum { UNIT = 16 };

typedef struct stencils {
    const int32_t *particles, *offsets, *visits;
    int32_t cardinality, count;
} stencils;

static int32_t visited(const stencils *s, int32_t v) { return s->visits ? s->visits[v] : v; }

static const int32_t *stencil_of(const stencils *s, int32_t i, int32_t *count)
{
    if (s->offsets) {
        *count = s->offsets[i + 1] - s->offsets[i];
        return s->particles + s->offsets[i];
    }
    *count = s->cardinality;
    return s->particles + (size_t)i * (size_t)s->cardinality;
}

static int32_t lowest_of(const stencils *s, int32_t i)
{
    int32_t n, lowest = INT32_MAX;
    const int32_t *particles = stencil_of(s, i, &n);
    for (int32_t k = 0; k < n; k++)
        lowest = particles[k] < lowest ? particles[k] : lowest;
    return n > 0 ? lowest : 0;
}

// Counting sort by lowest particle.
bool pli_schedule_visits(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         int32_t count, int32_t particle_count, int32_t *visits)
{
    stencils s = {particles, offsets, NULL, cardinality, count};
    int32_t *starts = PLI_ALLOCATE(memory, int32_t, (int64_t)particle_count + 1);
    for (int32_t i = 0; starts && i < count; i++)
        starts[lowest_of(&s, i) + 1]++;
    for (int32_t p = 0; starts && p < particle_count; p++)
        starts[p + 1] += starts[p];
    for (int32_t i = 0; starts && i < count; i++)
        visits[starts[lowest_of(&s, i)]++] = i;
    pli_release(memory, starts);
    return starts != NULL;
}

// Colours the constraints in visiting order; `colours` is by visit, `sizes` by colour and zero.
static void first_fit(const stencils *s, uint64_t *masks, uint8_t *colours, int32_t *sizes)
{
    for (int32_t v = 0; v < s->count; v++) {
        int32_t n;
        const int32_t *particles = stencil_of(s, visited(s, v), &n);
        uint64_t taken = 0;
        for (int32_t k = 0; k < n; k++)
            taken |= masks[particles[k]];
        int32_t colour = __builtin_ctzll(~taken | 1ull << OVERFLOW);
        for (int32_t k = 0; colour < OVERFLOW && k < n; k++)
            masks[particles[k]] |= 1ull << colour;
        colours[v] = (uint8_t)colour;
        sizes[colour]++;
    }
}

static int32_t excess_of(const int32_t *sizes, int32_t colour) { return sizes[colour] % UNIT; }

// Colours that are not full, those that lack most first, which is a matter of few moves.
static int32_t list_unfilled(const int32_t *sizes, int32_t *list)
{
    int32_t count = 0;
    for (int32_t excess = 1; excess < UNIT; excess++)
        for (int32_t colour = 0; colour < OVERFLOW; colour++)
            if (excess_of(sizes, colour) == excess)
                list[count++] = colour;
    return count;
}

// The first of the colours that still has room and that no particle of the stencil is in, or -1.
static int32_t find_room(const int32_t *particles, int32_t n, const uint64_t *masks, const int32_t *sizes,
                         const int32_t *list, int32_t count)
{
    uint64_t taken = 0;
    for (int32_t k = 0; k < n; k++)
        taken |= masks[particles[k]];
    for (int32_t i = count - 1; i >= 0; i--)
        if (excess_of(sizes, list[i]) > 0 && !(taken >> list[i] & 1))
            return list[i];
    return -1;
}

// Moves what a colour has over a multiple to others that have room, as far as particles allow.
static void empty_excess(const stencils *s, uint64_t *masks, uint8_t *colours, int32_t *sizes, int32_t colour,
                         const int32_t *list, int32_t count)
{
    for (int32_t v = s->count - 1; v >= 0 && excess_of(sizes, colour) > 0; v--) {
        int32_t n;
        const int32_t *particles = stencil_of(s, visited(s, v), &n);
        int32_t to = colours[v] == colour ? find_room(particles, n, masks, sizes, list, count) : -1;
        if (to < 0)
            continue;
        for (int32_t k = 0; k < n; k++)
            masks[particles[k]] = (masks[particles[k]] & ~(1ull << colour)) | 1ull << to;
        colours[v] = (uint8_t)to;
        sizes[colour]--, sizes[to]++;
    }
}

// First-fit leaves many colours with a few constraints over a multiple, each of which costs as much as a unit.
static void balance(const stencils *s, uint64_t *masks, uint8_t *colours, int32_t *sizes)
{
    int32_t list[COLOURS], count = list_unfilled(sizes, list);
    for (int32_t i = 0; i < count; i++)
        empty_excess(s, masks, colours, sizes, list[i], list + i + 1, count - i - 1);
}

// Drops colours that nothing has, which leaves the overflow colour, if any, last.
static bool place_colours(pli_memory *memory, const int32_t *sizes, pli_schedule *schedule, int32_t *starts)
{
    int32_t at = 0;
    schedule->overflow = -1;
    schedule->colour_offsets = PLI_ALLOCATE(memory, int32_t, COLOURS + 1);
    for (int32_t colour = 0; schedule->colour_offsets && colour < COLOURS; colour++) {
        starts[colour] = at;
        if (sizes[colour] == 0)
            continue;
        if (colour == OVERFLOW)
            schedule->overflow = schedule->colour_count;
        at += sizes[colour];
        schedule->colour_offsets[++schedule->colour_count] = at;
    }
    return schedule->colour_offsets != NULL;
}

bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         const int32_t *visits, int32_t count, int32_t particle_count, pli_schedule *schedule)
{
    stencils s = {particles, offsets, visits, cardinality, count};
    *schedule = (pli_schedule){0};
    int32_t sizes[COLOURS] = {0}, starts[COLOURS];
    uint64_t *masks = PLI_ALLOCATE(memory, uint64_t, particle_count);
    uint8_t *colours = PLI_ALLOCATE_UNSET(memory, uint8_t, count);
    schedule->order = PLI_ALLOCATE_UNSET(memory, int32_t, count);
    bool complete = masks && colours && schedule->order;
    if (complete) {
        first_fit(&s, masks, colours, sizes);
        balance(&s, masks, colours, sizes);
        complete = place_colours(memory, sizes, schedule, starts);
    }
    for (int32_t v = 0; complete && v < count; v++)
        schedule->order[starts[colours[v]]++] = visited(&s, v);
    if (!complete)
        pli_schedule_release(memory, schedule);
    pli_release(memory, masks);
    pli_release(memory, colours);
    return complete;
}

void pli_schedule_release(pli_memory *memory, pli_schedule *schedule)
{
    pli_release(memory, schedule->order);
    pli_release(memory, schedule->colour_offsets);
    *schedule = (pli_schedule){0};
}
