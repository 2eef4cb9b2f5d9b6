#include "solver/schedule.h"

#include "solver/quartets.h"

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
    int32_t *fours, *placed;  // The same: quartets, and how many of those and of other constraints have their place.
    pli_quartets quartets;    // Of visits.
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

// For `together` constraints whose particles lie one after the other from those given on.
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

static int32_t part_of(const colouring *c, int32_t v)
{
    return c->quartets.part ? c->quartets.part[v] : PLI_QUARTET_NONE;
}

static void members_of(const colouring *c, int32_t first, int32_t members[PLI_QUARTET])
{
    members[0] = first;
    for (int32_t j = 1; j < PLI_QUARTET; j++)
        members[j] = c->quartets.next[members[j - 1]];
}

// Whether all particles of a quartet are of one tile.
static bool is_within(const colouring *c, int32_t first)
{
    int32_t n, members[PLI_QUARTET];
    members_of(c, first, members);
    const int32_t *particles = stencil_of(&c->s, visited(&c->s, first), &n);
    const int32_t *last = stencil_of(&c->s, visited(&c->s, members[PLI_QUARTET - 1]), &n);
    return c->tile > 0 && !is_across(c, particles, n) && !is_across(c, last, n) &&
           particles[0] / c->tile == last[0] / c->tile;
}

// Gives the quartet a colour. One that finds none is a quartet no more.
static void colour_quartet(const colouring *c, int32_t first, bool across)
{
    int32_t n, members[PLI_QUARTET];
    const int32_t *particles = stencil_of(&c->s, visited(&c->s, first), &n);
    int32_t colour = first_fit(c, particles, n, PLI_QUARTET);
    bool fits = colour < OVERFLOW;
    members_of(c, first, members);
    for (int32_t j = 0; j < PLI_QUARTET; j++) {
        c->colours[members[j]] = (uint8_t)(fits ? (across ? ACROSS : 0) | colour : ACROSS);
        c->quartets.part[members[j]] = fits ? c->quartets.part[members[j]] : PLI_QUARTET_NONE;
    }
    int32_t at = group_of(c, first) * COLOURS + colour;
    c->sizes[at] += fits ? PLI_QUARTET : 0;
    c->fours[at] += fits;
}

static void colour_one(const colouring *c, int32_t v, bool across)
{
    int32_t n;
    const int32_t *particles = stencil_of(&c->s, visited(&c->s, v), &n);
    int32_t colour = first_fit(c, particles, n, 1);
    if (across)
        c->colours[v] = (uint8_t)(ACROSS | colour);
    else if (colour < OVERFLOW)
        c->colours[v] = (uint8_t)colour;
    if (across || colour < OVERFLOW)
        c->sizes[group_of(c, v) * COLOURS + colour]++;
}

// Colours the constraints in visiting order, quartets before others: those within tiles, which share no particle with
// another tile's, or the others.
static void colour_all(const colouring *c, bool across)
{
    for (int32_t v = 0; v < c->s.count && c->quartets.part; v++)
        if (part_of(c, v) == PLI_QUARTET_FIRST && c->colours[v] == ACROSS && is_within(c, v) != across)
            colour_quartet(c, v, across);
    for (int32_t v = 0; v < c->s.count; v++) {
        int32_t n;
        const int32_t *particles = stencil_of(&c->s, visited(&c->s, v), &n);
        if (part_of(c, v) == PLI_QUARTET_NONE && (across ? c->colours[v] == ACROSS : !is_across(c, particles, n)))
            colour_one(c, v, across);
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
        int32_t to = c->colours[v] == own && part_of(c, v) == PLI_QUARTET_NONE
                         ? find_room(particles, n, masks, sizes, list, count)
                         : -1;
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
    c->fours = PLI_ALLOCATE(c->memory, int32_t, places);
    c->placed = PLI_ALLOCATE(c->memory, int32_t, 2 * places);
    schedule->order = PLI_ALLOCATE_UNSET(c->memory, int32_t, c->s.count);
    return places <= INT32_MAX / 2 && c->masks && c->colours && c->sizes && c->starts && c->fours && c->placed &&
           schedule->order;
}

// Four quartets make a unit, of which each has every fourth place; then come those over, and what is in none.
static void put_in_order(const colouring *c, pli_schedule *schedule)
{
    for (int32_t v = 0; v < c->s.count; v++) {
        int32_t at = group_of(c, v) * COLOURS + c->colours[v] % ACROSS, *order = schedule->order + c->starts[at];
        if (part_of(c, v) == PLI_QUARTET_NONE)
            order[PLI_QUARTET * c->fours[at] + c->placed[2 * at]++] = visited(&c->s, v);
        if (part_of(c, v) != PLI_QUARTET_FIRST)
            continue;
        int32_t members[PLI_QUARTET], i = c->placed[2 * at + 1]++, full = c->fours[at] / PLI_QUARTET * PLI_QUARTET;
        members_of(c, v, members);
        for (int32_t j = 0; j < PLI_QUARTET; j++)
            order[i < full ? i / PLI_QUARTET * UNIT + i % PLI_QUARTET + j * PLI_QUARTET : i * PLI_QUARTET + j] =
                visited(&c->s, members[j]);
    }
}

bool pli_schedule_colour(pli_memory *memory, const int32_t *particles, const int32_t *offsets, int32_t cardinality,
                         const int32_t *visits, int32_t count, int32_t particle_count, int32_t tile,
                         pli_schedule *schedule)
{
    colouring c = {.s = {particles, offsets, visits, cardinality, count}, .memory = memory, .tile = tile};
    *schedule = (pli_schedule){0};
    bool complete = allocate(&c, particle_count, schedule) &&
                    (offsets || visits ||
                     pli_quartets_find(memory, particles, cardinality, count, particle_count, &c.quartets));
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
    if (complete)
        put_in_order(&c, schedule);
    else
        pli_schedule_release(memory, schedule);
    pli_quartets_release(memory, &c.quartets);
    void *arrays[] = {c.masks, c.colours, c.sizes, c.starts, c.fours, c.placed};
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
