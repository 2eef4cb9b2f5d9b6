// Greedy first-fit graph colouring of constraints: sweep/colouring.h. Each particle has a 64-bit mask of the colours
// that its constraints already have, so the first free colour is the lowest zero bit of the union of a constraint's
// masks.
#include "sweep/colouring.h"

#include "sweep/contiguous_batches.h"

#include <string.h>

// Colour OVERFLOW takes the constraints for which no earlier colour is free; a colour fits into a byte.
enum { OVERFLOW = 63, COLOURS = 64 };

// Lanes of the widest back end. Colours begin at multiples of it in every back end, so that the order, and with it the
// result, is the same for all widths.
enum { UNIT = 16 };

// The particles of `count` constraints, and the order in which they are visited or NULL.
typedef struct stencil_lists {
    const int32_t *particles, *offsets, *visits;
    int32_t cardinality, count;
} stencil_lists;

static int32_t visited(const stencil_lists *s, int32_t v) { return s->visits ? s->visits[v] : v; }

static const int32_t *stencil_particles(const stencil_lists *s, int32_t i, int32_t *count)
{
    if (s->offsets) {
        *count = s->offsets[i + 1] - s->offsets[i];
        return s->particles + s->offsets[i];
    }
    *count = s->cardinality;
    return s->particles + (size_t)i * (size_t)s->cardinality;
}

static int32_t lowest_of(const stencil_lists *s, int32_t i)
{
    int32_t n, lowest = INT32_MAX;
    const int32_t *particles = stencil_particles(s, i, &n);
    for (int32_t k = 0; k < n; k++)
        lowest = particles[k] < lowest ? particles[k] : lowest;
    return n > 0 ? lowest : 0;
}

// Counting sort by the lowest particle.
bool pli_schedule_visits(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         int32_t count, int32_t particle_count, int32_t *visits)
{
    stencil_lists s = {particles, offsets, NULL, cardinality, count};
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

typedef struct colouring {
    stencil_lists s;
    pli_memory *memory;
    uint64_t *masks;                          // By particle: bit k is set when a constraint of colour k acts on it.
    uint8_t *colours;                         // Colour of each constraint, by visit.
    int32_t sizes[COLOURS], starts[COLOURS];  // Constraints of each colour, and position of its first in the order.
    int32_t contiguous_batch_counts[COLOURS]; // Contiguous batches of each colour.
    // Single constraints and contiguous batches of each colour that are already in the order.
    int32_t placed[COLOURS], placed_contiguous_batches[COLOURS];
    pli_contiguous_batches contiguous_batches; // Contiguous batches, by visit.
} colouring;

// First colour that is free for `together` constraints, which act on the given particles and on those at the next indices. Marks it as
// taken, unless it is OVERFLOW.
static int32_t first_fit(const colouring *c, const int32_t *particles, int32_t n, int32_t together)
{
    uint64_t taken = 0;
    for (int32_t k = 0; k < n; k++)
        for (int32_t j = 0; j < together; j++)
            taken |= c->masks[particles[k] + j];
    int32_t colour = __builtin_ctzll(~taken | 1ull << OVERFLOW);
    for (int32_t k = 0; colour < OVERFLOW && k < n; k++)
        for (int32_t j = 0; j < together; j++)
            c->masks[particles[k] + j] |= 1ull << colour;
    return colour;
}

static int32_t colouring_part(const colouring *c, int32_t v)
{
    return c->contiguous_batches.part ? c->contiguous_batches.part[v] : PLI_CONTIGUOUS_BATCH_NONE;
}

static void batch_members(const colouring *c, int32_t first, int32_t members[PLI_CONTIGUOUS_BATCH])
{
    members[0] = first;
    for (int32_t j = 1; j < PLI_CONTIGUOUS_BATCH; j++)
        members[j] = c->contiguous_batches.next[members[j - 1]];
}

// Gives all members of a contiguous batch one colour; without a free colour the batch is dissolved.
static void colour_contiguous_batch(colouring *c, int32_t first)
{
    int32_t n, members[PLI_CONTIGUOUS_BATCH];
    const int32_t *particles = stencil_particles(&c->s, visited(&c->s, first), &n);
    int32_t colour = first_fit(c, particles, n, PLI_CONTIGUOUS_BATCH);
    bool fits = colour < OVERFLOW;
    batch_members(c, first, members);
    for (int32_t j = 0; j < PLI_CONTIGUOUS_BATCH; j++) {
        c->colours[members[j]] = (uint8_t)colour;
        c->contiguous_batches.part[members[j]] = fits ? c->contiguous_batches.part[members[j]]
                                                      : PLI_CONTIGUOUS_BATCH_NONE;
    }
    c->sizes[colour] += fits ? PLI_CONTIGUOUS_BATCH : 0;
    c->contiguous_batch_counts[colour] += fits;
}

// Colours the constraints in the order of their visits, contiguous batches before single constraints.
static void colour_all(colouring *c)
{
    for (int32_t v = 0; v < c->s.count && c->contiguous_batches.part; v++)
        if (colouring_part(c, v) == PLI_CONTIGUOUS_BATCH_FIRST)
            colour_contiguous_batch(c, v);
    for (int32_t v = 0; v < c->s.count; v++) {
        int32_t n;
        const int32_t *particles = stencil_particles(&c->s, visited(&c->s, v), &n);
        if (colouring_part(c, v) != PLI_CONTIGUOUS_BATCH_NONE)
            continue;
        c->colours[v] = (uint8_t)first_fit(c, particles, n, 1);
        c->sizes[c->colours[v]]++;
    }
}

// Removes unused colours, after which the overflow colour, if there is one, is the last.
static bool colouring_place_colours(colouring *c, pli_schedule *schedule)
{
    int32_t at = 0, used = 0;
    for (int32_t colour = 0; colour < COLOURS; colour++)
        used += c->sizes[colour] > 0;
    schedule->overflow = c->sizes[OVERFLOW] > 0 ? used - 1 : -1;
    schedule->colour_offsets = PLI_ALLOCATE(c->memory, int32_t, (int64_t)used + 1);
    if (!schedule->colour_offsets)
        return false;
    for (int32_t colour = 0; colour < COLOURS; colour++) {
        c->starts[colour] = at;
        at += c->sizes[colour];
        if (c->sizes[colour] > 0)
            schedule->colour_offsets[++schedule->colour_count] = at;
    }
    return true;
}

// Writes a colour: units of four contiguous batches A B C D, then the batches left over, then single constraints.
//
//   lane of a unit    0  1  2  3 | 4  5  6  7 | 8  9 10 11 | 12 13 14 15
//   batch, member     A0 B0 C0 D0| A1 B1 C1 D1| A2 B2 C2 D2| A3 B3 C3 D3
static void write_order(colouring *c, pli_schedule *schedule)
{
    for (int32_t v = 0; v < c->s.count; v++) {
        int32_t colour = c->colours[v], contiguous_batches = c->contiguous_batch_counts[colour],
                *order = schedule->order + c->starts[colour];
        if (colouring_part(c, v) == PLI_CONTIGUOUS_BATCH_NONE)
            order[PLI_CONTIGUOUS_BATCH * contiguous_batches + c->placed[colour]++] = visited(&c->s, v);
        if (colouring_part(c, v) != PLI_CONTIGUOUS_BATCH_FIRST)
            continue;
        int32_t members[PLI_CONTIGUOUS_BATCH], i = c->placed_contiguous_batches[colour]++,
                                               full = contiguous_batches / PLI_CONTIGUOUS_BATCH * PLI_CONTIGUOUS_BATCH;
        batch_members(c, v, members);
        for (int32_t j = 0; j < PLI_CONTIGUOUS_BATCH; j++)
            order[i < full ? i / PLI_CONTIGUOUS_BATCH * UNIT + i % PLI_CONTIGUOUS_BATCH + j * PLI_CONTIGUOUS_BATCH
                           : i * PLI_CONTIGUOUS_BATCH + j] = visited(&c->s, members[j]);
    }
}

bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         const int32_t *visits, int32_t count, int32_t particle_count, pli_schedule *schedule)
{
    colouring c = {.s = {particles, offsets, visits, cardinality, count}, .memory = memory};
    *schedule = (pli_schedule){.order = PLI_ALLOCATE_UNSET(memory, int32_t, count)};
    c.masks = PLI_ALLOCATE(memory, uint64_t, particle_count);
    c.colours = PLI_ALLOCATE_UNSET(memory, uint8_t, count);
    bool complete = schedule->order && c.masks && c.colours &&
                    (offsets || visits ||
                     pli_contiguous_batches_find(memory, particles, cardinality, count, particle_count,
                                                 &c.contiguous_batches));
    if (complete) {
        colour_all(&c);
        complete = colouring_place_colours(&c, schedule);
    }
    if (complete)
        write_order(&c, schedule);
    else
        pli_schedule_release(memory, schedule);
    pli_contiguous_batches_release(memory, &c.contiguous_batches);
    pli_release(memory, c.masks);
    pli_release(memory, c.colours);
    return complete;
}

void pli_schedule_release(pli_memory *memory, pli_schedule *schedule)
{
    pli_release(memory, schedule->order);
    pli_release(memory, schedule->colour_offsets);
    *schedule = (pli_schedule){0};
}
