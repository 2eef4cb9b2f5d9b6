// Constraints of a grid in the order of its rows.
//
// Those with the same offsets between their particles make a pattern. In a row, those of one pattern and one part
// (columns that leave the same rest when divided by PLI_DEALS) share no particle and lie side by side: a run.
// Rows are shared out in blocks. First come all constraints that stay inside their block, block by block, and then
// those that reach into the next: in both, blocks share no particle, so threads can take them. A block goes by bands
// of a few rows that stay in the nearest cache; in a band, runs that need what the last ones wrote come late, since a
// load that overlaps a store in flight waits for it.
#include "solver/grid.h"

#include "base/sort.h"
#include "generators/build.h"
#include "solver/set.h"

#include <stdlib.h>
#include <string.h>

enum { PATTERNS = 16, REACH = 3, BLOCK_ROWS = 16, BAND_PARTICLES = 1024, LEAST_LENGTH = 4 };

// Of a constraint: everything its place in the order depends on.
typedef struct spot {
    int32_t row, column; // The least row, and the column of the first particle.
    uint32_t pattern;
} spot;

typedef struct planning {
    pli_world *world;
    pli_set *set;
    const pli_grid *grid;
    const int32_t *places;
    int32_t count, cardinality;
    uint32_t patterns[PATTERNS];
    int32_t pattern_count, reach, blocks, band_rows, block_bands;
    pli_sort_item *items;
} planning;

static bool spot_of(const planning *p, int32_t constraint, spot *s)
{
    const int32_t *at = p->places + (size_t)constraint * (size_t)p->cardinality;
    int32_t columns = p->grid->columns;
    *s = (spot){at[0] / columns, at[0] % columns, 0};
    for (int32_t k = 1; k < p->cardinality; k++)
        s->row = at[k] / columns < s->row ? at[k] / columns : s->row;
    for (int32_t k = 0; k < p->cardinality; k++) {
        int32_t down = at[k] / columns - s->row, across = at[k] % columns - s->column;
        if (down > REACH || abs(across) > REACH)
            return false;
        s->pattern |= (uint32_t)(down << 3 | (across + REACH)) << (5 * k);
        for (int32_t j = 0; j < k; j++)
            if (at[j] / columns == at[k] / columns && abs(at[j] - at[k]) >= PLI_DEALS)
                return false;
    }
    return true;
}

static int32_t number_of(planning *p, uint32_t pattern)
{
    for (int32_t i = 0; i < p->pattern_count; i++)
        if (p->patterns[i] == pattern)
            return i;
    if (p->pattern_count == PATTERNS)
        return -1;
    p->patterns[p->pattern_count] = pattern;
    return p->pattern_count++;
}

static int32_t reach_of(uint32_t pattern, int32_t cardinality)
{
    int32_t reach = 0;
    for (int32_t k = 0; k < cardinality; k++) {
        int32_t down = (int32_t)(pattern >> (5 * k + 3)) & REACH;
        reach = down > reach ? down : reach;
    }
    return reach;
}

static int32_t block_begin(const planning *p, int32_t block)
{
    return pli_block_begin(block, p->blocks, p->grid->rows);
}

static int32_t block_of(const planning *p, int32_t row)
{
    int32_t block = (int32_t)((int64_t)row * p->blocks / p->grid->rows);
    while (block + 1 < p->blocks && block_begin(p, block + 1) <= row)
        block++;
    return block;
}

// Parts that touch no particle of one another come after one another: 0 2 1 3.
static uint64_t rank_of_part(int32_t column)
{
    static const uint64_t ranks[PLI_DEALS] = {0, 2, 1, 3};
    return ranks[column % PLI_DEALS];
}

// The order is that of these numbers, by bits: from 60 on inside or across, from 37 on the band, from 33 on the
// pattern, from 31 on rows that share no particle, from 29 on the part, from 24 on the row, and then the column.
static uint64_t key_of(const planning *p, const spot *s, int32_t number)
{
    int32_t reach = reach_of(s->pattern, p->cardinality), block = block_of(p, s->row);
    int32_t inside = s->row - block_begin(p, block), band = block * p->block_bands + inside / p->band_rows;
    int32_t row = inside % p->band_rows;
    return (uint64_t)(uint32_t)band << 37 | (uint64_t)(uint32_t)number << 33 |
           (uint64_t)(uint32_t)(row % (reach + 1)) << 31 | rank_of_part(s->column) << 29 |
           (uint64_t)(uint32_t)row << 24 | (uint64_t)(uint32_t)(s->column / PLI_DEALS);
}

enum { PLAN_GRAIN = 8192 };
#define IRREGULAR UINT64_MAX

static void find_patterns(void *data, int32_t begin, int32_t end)
{
    const planning *p = data;
    for (int32_t i = begin; i < end; i++) {
        spot s;
        p->items[i] = (pli_sort_item){spot_of(p, i, &s) ? s.pattern : IRREGULAR, i};
    }
}

// Numbers them in the order in which they come, in the place of the keys. False when there are too many.
static bool number_patterns(planning *p)
{
    uint64_t last = IRREGULAR;
    int32_t number = -1;
    for (int32_t i = 0; i < p->count; i++) {
        uint64_t pattern = p->items[i].key;
        if (pattern == IRREGULAR)
            return false;
        if (pattern != last && (number = number_of(p, (uint32_t)pattern)) < 0)
            return false;
        last = pattern;
        p->items[i].key = (uint64_t)number;
    }
    for (int32_t i = 0; i < p->pattern_count; i++) {
        int32_t reach = reach_of(p->patterns[i], p->cardinality);
        p->reach = reach > p->reach ? reach : p->reach;
    }
    return true;
}

static void put_keys(void *data, int32_t begin, int32_t end)
{
    const planning *p = data;
    for (int32_t i = begin; i < end; i++) {
        spot s;
        spot_of(p, i, &s);
        int32_t block = block_of(p, s.row);
        bool across = block + 1 < p->blocks && s.row + p->reach >= block_begin(p, block + 1);
        p->items[i].key = key_of(p, &s, (int32_t)p->items[i].key) | (across ? 1ull << 60 : 0);
    }
}

static bool make_keys(planning *p)
{
    pli_parallel(p->world, p->count, PLAN_GRAIN, find_patterns, p);
    if (!number_patterns(p))
        return false;
    pli_parallel(p->world, p->count, PLAN_GRAIN, put_keys, p);
    return true;
}

enum { GROUP_SHIFT = 31, ACROSS_SHIFT = 60 };

// By band, pattern and row first: what is left to sort of each fits the cache.
static bool sort_items(const planning *p)
{
    pli_memory *memory = &p->world->memory;
    pli_sort_pair *pairs = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, p->count);
    int32_t groups = (p->blocks * p->block_bands) << (37 - GROUP_SHIFT);
    for (int32_t i = 0; pairs && i < p->count; i++) {
        uint64_t key = p->items[i].key;
        int32_t group = (int32_t)((key & ((1ull << ACROSS_SHIFT) - 1)) >> GROUP_SHIFT);
        pairs[i] = (pli_sort_pair){group + (key >> ACROSS_SHIFT ? groups : 0),
                                   (int32_t)(key & ((1ull << GROUP_SHIFT) - 1)), p->items[i].value};
    }
    bool sorted = pairs && pli_sort_pairs(memory, pairs, p->count, 2 * groups);
    for (int32_t i = 0; sorted && i < p->count; i++) {
        uint64_t across = pairs[i].low >= groups ? 1ull << ACROSS_SHIFT : 0, group = (uint64_t)(pairs[i].low % groups);
        p->items[i] = (pli_sort_item){across | group << GROUP_SHIFT | (uint64_t)pairs[i].high, pairs[i].value};
    }
    pli_release(memory, pairs);
    return sorted;
}

static bool continues(const planning *p, int32_t i)
{
    return i > 0 && p->items[i].key == p->items[i - 1].key + 1;
}

static int32_t count_runs(const planning *p)
{
    int32_t runs = 0;
    for (int32_t i = 0; i < p->count; i++)
        runs += !continues(p, i);
    return runs;
}

static void fill_run(const planning *p, int32_t slot, pli_slot_run *run)
{
    const int32_t *at = p->places + (size_t)p->items[slot].value * (size_t)p->cardinality;
    *run = (pli_slot_run){.slot = slot};
    for (int32_t k = 0; k < p->cardinality; k++)
        run->at[k] = pli_grid_at(p->grid, at[k]);
}

// Tasks: the insides of all blocks, then what leads from each to the next.
static void fill_runs(const planning *p)
{
    pli_set *set = p->set;
    int32_t run = -1, task = 0;
    for (int32_t i = 0; i < p->count; i++) {
        if (continues(p, i)) {
            set->runs[run].count++;
            continue;
        }
        spot s;
        spot_of(p, p->items[i].value, &s);
        int32_t own = block_of(p, s.row) + (p->items[i].key >> 60 ? p->blocks : 0);
        fill_run(p, i, &set->runs[++run]);
        set->runs[run].count = 1;
        while (task < own)
            set->run_offsets[++task] = run;
    }
    while (task < 2 * p->blocks)
        set->run_offsets[++task] = run + 1;
}

static bool fill(planning *p, int32_t run_count, pli_schedule *schedule)
{
    pli_memory *memory = &p->world->memory;
    pli_set *set = p->set;
    set->runs = PLI_ALLOCATE(memory, pli_slot_run, run_count);
    set->run_offsets = PLI_ALLOCATE(memory, int32_t, 2 * (int64_t)p->blocks + 1);
    schedule->order = PLI_ALLOCATE(memory, int32_t, p->count);
    schedule->colour_offsets = PLI_ALLOCATE(memory, int32_t, 2);
    if (!set->runs || !set->run_offsets || !schedule->order || !schedule->colour_offsets)
        return false;
    for (int32_t i = 0; i < p->count; i++)
        schedule->order[i] = p->items[i].value;
    schedule->colour_count = 1;
    schedule->colour_offsets[1] = p->count;
    set->block_count = p->blocks;
    fill_runs(p);
    return true;
}

bool pli_runs_plan(pli_world *world, pli_set *set, const int32_t *places, int32_t count, pli_schedule *schedule)
{
    const pli_constraint_type *type = set->type;
    planning p = {.world = world, .set = set, .grid = set->body->grid, .places = places, .count = count,
                  .cardinality = type->cardinality};
    if (!p.grid || !set->row || !set->row->project || type->cardinality < 2 || type->needs_normals || count == 0)
        return true;
    if (!(p.items = PLI_ALLOCATE_UNSET(&world->memory, pli_sort_item, count)))
        return false;
    p.blocks = p.grid->rows / BLOCK_ROWS & ~1;
    p.blocks = p.blocks < 1 ? 1 : p.blocks;
    p.band_rows = BAND_PARTICLES / p.grid->columns + 1;
    p.band_rows = p.band_rows > BLOCK_ROWS ? BLOCK_ROWS : p.band_rows;
    p.block_bands = (p.grid->rows / p.blocks + p.band_rows) / p.band_rows;
    bool complete = true;
    if (make_keys(&p)) {
        complete = sort_items(&p);
        int32_t run_count = complete ? count_runs(&p) : 0;
        if (complete && (int64_t)run_count * LEAST_LENGTH <= count)
            complete = fill(&p, run_count, schedule);
    }
    pli_release(&world->memory, p.items);
    return complete;
}

/* ---- giving up --------------------------------------------------------------------------------- */

static pli_status list_stencils(const pli_set *set, pli_stencils *stencils)
{
    pli_builder builder = pli_builder_make(stencils, set->type->cardinality);
    for (int32_t i = 0; i < set->count; i++) {
        int32_t vertices[PLI_CARDINALITY_MAX];
        const int32_t *places;
        int32_t n = pli_set_particles(set, i, &places, vertices);
        for (int32_t k = 0; k < n; k++)
            vertices[k] = pli_vertex(set->body, places[k]);
        pli_builder_add(&builder, vertices);
    }
    return pli_builder_finish(&builder, NULL);
}

// Cooks a set once more, in lists, and puts it in the place of the old one.
static bool cook_in_lists(pli_world *world, pli_set *set)
{
    pli_stencils stencils = {.hooks = world->memory.hooks};
    if (list_stencils(set, &stencils) != PLI_STATUS_OK)
        return false;
    stencils.degenerate_count = set->degenerate_count;
    pli_set fresh = {.id = set->id, .name = set->name, .type = set->type, .row = set->row, .generator = set->generator,
                     .body = set->body, .of_attachment = set->of_attachment, .keep_lambda = set->keep_lambda,
                     .source = set->source};
    memcpy(fresh.parameters, set->parameters, sizeof fresh.parameters);
    memcpy(fresh.own, set->own, sizeof fresh.own);
    bool complete = pli_set_cook(world, &fresh, &stencils, NULL) == PLI_STATUS_OK &&
                    (!set->lambda[0] || pli_set_reserve_lambda(world, &fresh));
    pli_stencils_release(&stencils);
    pli_set *old = complete ? set : &fresh;
    for (int32_t i = 0; complete && i < set->count; i++) {
        int32_t to = pli_set_slot(&fresh, i), from = pli_set_slot(set, i);
        for (int32_t d = 0; d < set->type->dimension && set->lambda[d]; d++)
            fresh.lambda[d][to] = set->lambda[d][from];
        // Measured with areas that only the generator knows.
        if (set->compliance_scale)
            fresh.compliance_scale[to] = set->compliance_scale[from];
    }
    pli_set_release_slots(world, old);
    pli_release(&world->memory, old->evaluation);
    if (complete)
        *set = fresh;
    return complete;
}

bool pli_grid_give_up(pli_world *world, pli_body *body)
{
    pli_grid *grid = body->grid;
    bool complete = true;
    body->grid = NULL;
    for (int32_t i = 0; i < world->sets.count && complete; i++) {
        pli_set *set = (pli_set *)(void *)world->sets.items[i];
        if (set->body == body && set->runs)
            complete = cook_in_lists(world, set);
    }
    body->grid = grid;
    if (complete)
        pli_grid_free(world, body);
    return complete;
}
