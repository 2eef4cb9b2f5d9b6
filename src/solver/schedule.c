#include "solver/schedule.h"

#include <string.h>

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

typedef struct colouring {
    stencils s;
    pli_memory *memory;
    int32_t tile, tile_count; // Particles of a tile, and tiles; 0 when there are none.
    uint64_t *masks;          // By particle: the colours that it is in.
    uint8_t *colours;         // By visit.
    int32_t *sizes, *starts;  // [COLOURS] of each tile, and of what lies across tiles.
} colouring;

// Marks a constraint that lies across tiles, or found no colour within its own.
enum { ACROSS = 128 };

static bool is_across(const colouring *c, const int32_t *particles, int32_t n)
{
    for (int32_t k = 1; k < n; k++)
        if (particles[k] / c->tile != particles[0] / c->tile)
            return true;
    return n == 0;
}

static int32_t group_of(const colouring *c, int32_t v)
{
    int32_t n;
    if (c->colours[v] & ACROSS)
        return c->tile_count;
    return stencil_of(&c->s, visited(&c->s, v), &n)[0] / c->tile;
}

static int32_t first_fit(const colouring *c, const int32_t *particles, int32_t n)
{
    uint64_t taken = 0;
    for (int32_t k = 0; k < n; k++)
        taken |= c->masks[particles[k]];
    int32_t colour = __builtin_ctzll(~taken | 1ull << OVERFLOW);
    for (int32_t k = 0; colour < OVERFLOW && k < n; k++)
        c->masks[particles[k]] |= 1ull << colour;
    return colour;
}

// Colours the constraints in visiting order: those within tiles, which share no particle with another tile's, or the
// others.
static void colour_all(const colouring *c, bool across)
{
    for (int32_t v = 0; v < c->s.count; v++) {
        int32_t n;
        const int32_t *particles = stencil_of(&c->s, visited(&c->s, v), &n);
        if (across ? c->colours[v] != ACROSS : is_across(c, particles, n))
            continue;
        int32_t colour = first_fit(c, particles, n);
        if (across)
            c->colours[v] = (uint8_t)(ACROSS | colour);
        else if (colour < OVERFLOW)
            c->colours[v] = (uint8_t)colour;
        if (across || colour < OVERFLOW)
            c->sizes[group_of(c, v) * COLOURS + colour]++;
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
static void empty_excess(const colouring *c, int32_t *sizes, int32_t colour, const int32_t *list, int32_t count)
{
    uint64_t *masks = c->masks;
    for (int32_t v = c->s.count - 1; v >= 0 && excess_of(sizes, colour) > 0; v--) {
        int32_t n, own = ACROSS | colour;
        const int32_t *particles = stencil_of(&c->s, visited(&c->s, v), &n);
        int32_t to = c->colours[v] == own ? find_room(particles, n, masks, sizes, list, count) : -1;
        if (to < 0)
            continue;
        for (int32_t k = 0; k < n; k++)
            masks[particles[k]] = (masks[particles[k]] & ~(1ull << colour)) | 1ull << to;
        c->colours[v] = (uint8_t)(ACROSS | to);
        sizes[colour]--, sizes[to]++;
    }
}

// First-fit leaves many colours with a few constraints over a multiple, each of which costs as much as a unit: in tiles
// that hardly matters.
static void balance(const colouring *c)
{
    int32_t list[COLOURS], *sizes = c->sizes + c->tile_count * COLOURS, count = list_unfilled(sizes, list);
    for (int32_t i = 0; i < count; i++)
        empty_excess(c, sizes, list[i], list + i + 1, count - i - 1);
}

// Drops colours that nothing has, which leaves the overflow colour, if any, last.
static bool place_colours(const colouring *c, pli_schedule *schedule)
{
    int32_t at = 0, used = 0, groups = c->tile_count + 1;
    for (int32_t i = 0; i < groups * COLOURS; i++)
        used += c->sizes[i] > 0;
    schedule->overflow = -1;
    schedule->tile_count = c->tile_count;
    schedule->colour_offsets = PLI_ALLOCATE(c->memory, int32_t, (int64_t)used + 1);
    if (c->tile_count > 0)
        schedule->tile_offsets = PLI_ALLOCATE(c->memory, int32_t, groups);
    if (!schedule->colour_offsets || (c->tile_count > 0 && !schedule->tile_offsets))
        return false;
    for (int32_t i = 0; i < groups * COLOURS; i++) {
        if (schedule->tile_offsets && i % COLOURS == 0)
            schedule->tile_offsets[i / COLOURS] = schedule->colour_count;
        c->starts[i] = at;
        if (c->sizes[i] == 0)
            continue;
        if (i % COLOURS == OVERFLOW)
            schedule->overflow = schedule->colour_count;
        at += c->sizes[i];
        schedule->colour_offsets[++schedule->colour_count] = at;
    }
    return true;
}

static bool allocate(colouring *c, int32_t particle_count, pli_schedule *schedule)
{
    c->tile_count = c->tile > 0 ? (particle_count + c->tile - 1) / c->tile : 0;
    int64_t places = ((int64_t)c->tile_count + 1) * COLOURS;
    c->masks = PLI_ALLOCATE(c->memory, uint64_t, particle_count);
    c->colours = PLI_ALLOCATE_UNSET(c->memory, uint8_t, c->s.count);
    c->sizes = PLI_ALLOCATE(c->memory, int32_t, places);
    c->starts = PLI_ALLOCATE(c->memory, int32_t, places);
    schedule->order = PLI_ALLOCATE_UNSET(c->memory, int32_t, c->s.count);
    return places <= INT32_MAX && c->masks && c->colours && c->sizes && c->starts && schedule->order;
}

bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         const int32_t *visits, int32_t count, int32_t particle_count, int32_t tile,
                         pli_schedule *schedule)
{
    colouring c = {.s = {particles, offsets, visits, cardinality, count}, .memory = memory, .tile = tile};
    *schedule = (pli_schedule){0};
    bool complete = allocate(&c, particle_count, schedule);
    if (complete) {
        memset(c.colours, ACROSS, (size_t)count);
        if (tile > 0) {
            colour_all(&c, false);
            memset(c.masks, 0, (size_t)particle_count * sizeof *c.masks);
        }
        colour_all(&c, true);
        balance(&c);
        complete = place_colours(&c, schedule);
    }
    for (int32_t v = 0; complete && v < count; v++)
        schedule->order[c.starts[group_of(&c, v) * COLOURS + c.colours[v] % ACROSS]++] = visited(&c.s, v);
    if (!complete)
        pli_schedule_release(memory, schedule);
    void *arrays[] = {c.masks, c.colours, c.sizes, c.starts};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
    return complete;
}

void pli_schedule_release(pli_memory *memory, pli_schedule *schedule)
{
    pli_release(memory, schedule->order);
    pli_release(memory, schedule->colour_offsets);
    pli_release(memory, schedule->tile_offsets);
    *schedule = (pli_schedule){0};
}
