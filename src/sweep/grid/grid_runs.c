// Plans the order of the constraints of a grid: runs, which are grouped into bands of rows within blocks of rows.
//
// Constraints with the same offsets between their particles form a pattern. Within a row, the constraints of one pattern whose first
// column is in one part (column mod PLI_INTERLEAVE) share no particle and are contiguous in the layout: a run.
//
//   row of edges    0-1 1-2 2-3 3-4 4-5 5-6 6-7 7-8          pattern: (row 0, column +1)
//   runs            0-1 4-5 | 2-3 6-7 | 1-2 5-6 | 3-4 7-8    parts 0, 2, 1, 3
//
// Rows are divided into blocks. The constraints inside of the blocks come first, block by block, then the constraints that cross from a
// block into the next. In both phases no two blocks share a particle, so each thread takes a block:
//
//   block 0  | rows  0..15 |  phase 1: blocks 0 1 2 ... in parallel
//   --------- constraints that cross ---------------------------------  phase 2: 0-1, 1-2, ... in parallel
//   block 1  | rows 16..31 |
//
// A block is swept by bands of a few rows that stay in the first-level cache. In a band, runs that share particles are
// kept far apart, since a load that overlaps a store still in flight has to wait for it. Fewer rows leave less strain, but
// more of it in contact (docs/decisions/schedules.md).
#include "sweep/grid/grid_runs.h"

#include "base/sort.h"
#include "sweep/grid/grid_layout.h"
#include "model/parallel.h"

#include <stdlib.h>
#include <string.h>

// Limits of a plan: patterns of a set, rows and columns that a constraint may reach, least rows of a block, particles
// of a band, and least mean length of a run.
enum { PATTERNS = 16, GRID_REACH = 3, BLOCK_ROWS = 16, BAND_PARTICLES = 1024, LEAST_RUN = 4 };

// Row, column and pattern of a constraint, which determine its position in the order.
typedef struct placement {
    int32_t row, column; // Lowest row of its particles, and column of its first particle.
    uint32_t pattern;
} placement;

// Block and band of the constraints with this lowest row.
typedef struct row_plan {
    int32_t block;
    bool across;           // The constraints cross into the next block.
    int32_t band, in_band; // Band among those of all blocks; row within the band.
} row_plan;

// A pattern, recognised by the index differences between the first particle of a constraint and the others.
typedef struct pattern_info {
    int32_t steps[PLI_CARDINALITY_MAX]; // Internal index of particle k minus the index of particle 0.
    int32_t rise;                       // Rows from the lowest row to the row of the first particle.
    int32_t left, right;                // Smallest and largest column offset from the first particle, <= 0 and >= 0.
    uint32_t pattern;
} pattern_info;

// Patterns of a piece of PLAN_GRAIN constraints; the pieces are planned in parallel.
typedef struct piece_plan {
    pattern_info patterns[PATTERNS]; // The patterns in the order of their first appearance in the piece.
    int32_t numbers[PATTERNS];       // The number of each among the patterns of the entire set.
    int32_t pattern_count;
    bool irregular;
    // Number of the first run that begins in the piece; while runs are counted, the number that begin in it.
    int32_t first_run;
} piece_plan;

typedef struct grid_planning {
    pli_world *world;
    pli_constraints_data *set;
    const pli_grid_layout *grid;
    const int32_t *places;
    int32_t count, cardinality;
    double rows_per_place;
    row_plan *rows;
    piece_plan *pieces;
    uint32_t patterns[PATTERNS];
    int32_t reaches[PATTERNS];
    int32_t pattern_count, reach, blocks, band_rows, block_bands;
    // [count] group of each constraint and its position in the group; before groups are set, its pattern and the internal index at its
    // lowest row and first column.
    pli_sort_pair *items;
    int32_t group_count;
} grid_planning;

int32_t pli_block_count(const pli_grid_layout *grid)
{
    int32_t blocks = grid->rows / BLOCK_ROWS & ~1;
    return blocks < 1 ? 1 : blocks;
}

static int32_t band_rows_of(const pli_grid_layout *grid)
{
    int32_t rows = BAND_PARTICLES / grid->columns + 1;
    return rows > BLOCK_ROWS ? BLOCK_ROWS : rows;
}

// The row of an internal index. It is exact: the quotient of numbers below 2^31 is further from the next integer than the rounding error.
static int32_t grid_row_of(const grid_planning *p, int32_t place)
{
    return (int32_t)(((double)place + 0.5) * p->rows_per_place);
}

// False if the constraint spans more than REACH, or if particles in one row are PLI_INTERLEAVE or more columns apart, so that constraints
// of a run could share one.
static bool placement_of(const grid_planning *p, int32_t constraint, placement *s)
{
    const int32_t *at = p->places + (size_t)constraint * (size_t)p->cardinality;
    int32_t rows[PLI_CARDINALITY_MAX] = {0}, columns[PLI_CARDINALITY_MAX] = {0};
    for (int32_t k = 0; k < p->cardinality; k++)
        rows[k] = grid_row_of(p, at[k]), columns[k] = at[k] - rows[k] * p->grid->columns;
    *s = (placement){rows[0], columns[0], 0};
    for (int32_t k = 1; k < p->cardinality; k++)
        s->row = rows[k] < s->row ? rows[k] : s->row;
    for (int32_t k = 0; k < p->cardinality; k++) {
        int32_t down = rows[k] - s->row, across = columns[k] - s->column;
        if (down > GRID_REACH || abs(across) > GRID_REACH)
            return false;
        s->pattern |= (uint32_t)(down << 3 | (across + GRID_REACH)) << (5 * k);
        for (int32_t j = 0; j < k; j++)
            if (rows[j] == rows[k] && abs(columns[j] - columns[k]) >= PLI_INTERLEAVE)
                return false;
    }
    return true;
}

static int32_t pattern_number(grid_planning *p, uint32_t pattern)
{
    for (int32_t i = 0; i < p->pattern_count; i++)
        if (p->patterns[i] == pattern)
            return i;
    if (p->pattern_count == PATTERNS)
        return -1;
    p->patterns[p->pattern_count] = pattern;
    return p->pattern_count++;
}

// Number of rows that a pattern extends beyond its lowest row.
static int32_t pattern_reach(uint32_t pattern, int32_t cardinality)
{
    int32_t reach = 0;
    for (int32_t k = 0; k < cardinality; k++) {
        int32_t down = (int32_t)(pattern >> (5 * k + 3)) & GRID_REACH;
        reach = down > reach ? down : reach;
    }
    return reach;
}

static int32_t block_begin(const grid_planning *p, int32_t block)
{
    return pli_block_begin(block, p->blocks, p->grid->rows);
}

static int32_t block_of(const grid_planning *p, int32_t row)
{
    int32_t block = (int32_t)((int64_t)row * p->blocks / p->grid->rows);
    while (block + 1 < p->blocks && block_begin(p, block + 1) <= row)
        block++;
    return block;
}

// Parts are swept in the order 0 2 1 3, so that successive runs of edges share no particle.
static int32_t rank_of_part(int32_t column)
{
    static const int32_t ranks[PLI_INTERLEAVE] = {0, 2, 1, 3};
    return ranks[column % PLI_INTERLEAVE];
}

// Groups are ordered by: inside or across blocks, band, pattern, residue of the row (rows of one residue share no particle), part. Within
// a group the order is by row, then by column, in which generators already list most constraints.
static void set_group(const grid_planning *p, int32_t least_row, int32_t column, pli_sort_pair *item)
{
    const row_plan *row = &p->rows[least_row];
    int32_t number = item->low, bands = p->blocks * p->block_bands;
    int32_t group = ((row->across ? bands : 0) + row->band) * p->pattern_count + number;
    group = group * (p->reach + 1) + row->in_band % (p->reaches[number] + 1);
    item->low = group * PLI_INTERLEAVE + rank_of_part(column);
    item->high = row->in_band << 24 | column / PLI_INTERLEAVE;
}

static void plan_rows(grid_planning *p)
{
    for (int32_t row = 0; row < p->grid->rows; row++) {
        int32_t block = block_of(p, row), inside = row - block_begin(p, block);
        int32_t band = block * p->block_bands + inside / p->band_rows, in_band = inside % p->band_rows;
        bool across = block + 1 < p->blocks && row + p->reach >= block_begin(p, block + 1);
        p->rows[row] = (row_plan){block, across, band, in_band};
    }
}

enum { PLAN_GRAIN = 8192 };

// Describes the pattern of the first constraint that has it; false when the constraint is irregular.
static bool describe_pattern(const grid_planning *p, int32_t constraint, pattern_info *pattern)
{
    const int32_t *at = p->places + (size_t)constraint * (size_t)p->cardinality;
    placement s;
    if (!placement_of(p, constraint, &s))
        return false;
    *pattern = (pattern_info){.rise = grid_row_of(p, at[0]) - s.row, .pattern = s.pattern};
    for (int32_t k = 1; k < p->cardinality; k++) {
        int32_t across = (int32_t)(s.pattern >> (5 * k) & 7) - GRID_REACH;
        pattern->steps[k] = at[k] - at[0];
        pattern->left = across < pattern->left ? across : pattern->left;
        pattern->right = across > pattern->right ? across : pattern->right;
    }
    return true;
}

static bool has_steps(const pattern_info *pattern, const int32_t *at, int32_t cardinality)
{
    for (int32_t k = 1; k < cardinality; k++)
        if (pattern->steps[k] != at[k] - at[0])
            return false;
    return true;
}

// Number of the constraint's pattern in its piece; -1 when the constraint is irregular or there are too many patterns.
// Index differences that run past the end of a row are irregular, although a pattern has the same differences.
static int32_t number_in(const grid_planning *p, piece_plan *piece, int32_t constraint, int32_t *place)
{
    const int32_t *at = p->places + (size_t)constraint * (size_t)p->cardinality;
    int32_t number = 0;
    while (number < piece->pattern_count && !has_steps(&piece->patterns[number], at, p->cardinality))
        number++;
    if (number == PATTERNS ||
        (number == piece->pattern_count && !describe_pattern(p, constraint, &piece->patterns[number])))
        return -1;
    const pattern_info *pattern = &piece->patterns[number];
    int32_t row = grid_row_of(p, at[0]), column = at[0] - row * p->grid->columns;
    piece->pattern_count += number == piece->pattern_count;
    *place = at[0] - pattern->rise * p->grid->columns;
    return column + pattern->left >= 0 && column + pattern->right < p->grid->columns ? number : -1;
}

static void find_patterns(void *data, int32_t begin, int32_t end)
{
    const grid_planning *p = data;
    piece_plan *piece = &p->pieces[begin / PLAN_GRAIN];
    for (int32_t i = begin; i < end && !piece->irregular; i++) {
        int32_t place = 0, number = number_in(p, piece, i, &place);
        p->items[i] = (pli_sort_pair){number, place, i};
        piece->irregular = number < 0;
    }
}

// Numbers the patterns of all pieces in the order of their first appearance. False when there are too many.
static bool number_patterns(grid_planning *p)
{
    for (int32_t i = 0; i < pli_piece_count(p->count, PLAN_GRAIN); i++) {
        piece_plan *piece = &p->pieces[i];
        if (piece->irregular)
            return false;
        for (int32_t k = 0; k < piece->pattern_count; k++)
            if ((piece->numbers[k] = pattern_number(p, piece->patterns[k].pattern)) < 0)
                return false;
    }
    for (int32_t i = 0; i < p->pattern_count; i++) {
        p->reaches[i] = pattern_reach(p->patterns[i], p->cardinality);
        p->reach = p->reaches[i] > p->reach ? p->reaches[i] : p->reach;
    }
    return true;
}

static void set_groups(void *data, int32_t begin, int32_t end)
{
    const grid_planning *p = data;
    const int32_t *numbers = p->pieces[begin / PLAN_GRAIN].numbers;
    for (int32_t i = begin; i < end; i++) {
        int32_t row = grid_row_of(p, p->items[i].high);
        p->items[i].low = numbers[p->items[i].low];
        set_group(p, row, p->items[i].high - row * p->grid->columns, &p->items[i]);
    }
}

static bool grid_make_groups(grid_planning *p)
{
    pli_parallel(p->world, p->count, PLAN_GRAIN, find_patterns, p);
    if (!number_patterns(p))
        return false;
    plan_rows(p);
    int64_t groups = 2 * (int64_t)p->blocks * p->block_bands * p->pattern_count * (p->reach + 1) * PLI_INTERLEAVE;
    if (groups > INT32_MAX)
        return false;
    p->group_count = (int32_t)groups;
    pli_parallel(p->world, p->count, PLAN_GRAIN, set_groups, p);
    return true;
}

// Whether constraint i of the sorted order continues the run of the one before it.
static bool continues(const grid_planning *p, int32_t i)
{
    return i > 0 && p->items[i].low == p->items[i - 1].low && p->items[i].high == p->items[i - 1].high + 1;
}

static void count_starts(void *data, int32_t begin, int32_t end)
{
    const grid_planning *p = data;
    int32_t runs = 0;
    for (int32_t i = begin; i < end; i++)
        runs += !continues(p, i);
    p->pieces[begin / PLAN_GRAIN].first_run = runs;
}

// Returns the number of runs, and assigns each piece the number of its first run.
static int32_t number_runs(const grid_planning *p)
{
    int32_t runs = 0;
    pli_parallel(p->world, p->count, PLAN_GRAIN, count_starts, (grid_planning *)p);
    for (int32_t i = 0; i < pli_piece_count(p->count, PLAN_GRAIN); i++) {
        int32_t own = p->pieces[i].first_run;
        p->pieces[i].first_run = runs;
        runs += own;
    }
    return runs;
}

static pli_slot_run run_at(const grid_planning *p, int32_t slot)
{
    const int32_t *at = p->places + (size_t)p->items[slot].value * (size_t)p->cardinality;
    pli_slot_run run = {.slot = slot};
    for (int32_t k = 0; k < p->cardinality; k++)
        run.at[k] = pli_grid_at(p->grid, at[k]);
    return run;
}

// Task of a group: the insides of the blocks are tasks 0..blocks-1, followed by the constraints that cross from each block into the next.
static int32_t task_of(const grid_planning *p, int32_t group)
{
    int32_t bands = p->blocks * p->block_bands, band = group / (PLI_INTERLEAVE * (p->reach + 1) * p->pattern_count);
    return band % bands / p->block_bands + (band >= bands ? p->blocks : 0);
}

static void grid_fill_runs(void *data, int32_t begin, int32_t end)
{
    const grid_planning *p = data;
    pli_constraints_data *set = p->set;
    int32_t run = p->pieces[begin / PLAN_GRAIN].first_run;
    for (int32_t i = begin; i < end; i++) {
        set->slot_of[p->items[i].value] = i;
        if (continues(p, i))
            continue;
        int32_t own = task_of(p, p->items[i].low), last = i > 0 ? task_of(p, p->items[i - 1].low) : -1;
        set->runs[run] = run_at(p, i);
        for (int32_t task = last + 1; task <= own; task++)
            set->run_offsets[task] = run;
        run++;
    }
}

// Writes the runs, the first run of each task, and the slot of each constraint. False when memory ran out.
static bool store_runs(grid_planning *p, int32_t run_count)
{
    pli_memory *memory = &p->world->memory;
    pli_constraints_data *set = p->set;
    set->runs = PLI_ALLOCATE_UNSET(memory, pli_slot_run, run_count);
    set->run_offsets = PLI_ALLOCATE_UNSET(memory, int32_t, 2 * (int64_t)p->blocks + 1);
    set->slot_of = PLI_ALLOCATE_UNSET(memory, int32_t, p->count);
    if (!set->runs || !set->run_offsets || !set->slot_of)
        return false;
    set->block_count = p->blocks;
    pli_parallel(p->world, p->count, PLAN_GRAIN, grid_fill_runs, p);
    for (int32_t task = task_of(p, p->items[p->count - 1].low) + 1; task <= 2 * p->blocks; task++)
        set->run_offsets[task] = run_count;
    for (int32_t r = 0; r < run_count; r++)
        set->runs[r].count = (r + 1 < run_count ? set->runs[r + 1].slot : p->count) - set->runs[r].slot;
    return pli_runs_mark(p->world, set);
}

bool pli_runs_may(const pli_constraints_data *set)
{
    const pli_constraint_type *type = set->type;
    return set->deformable->grid && set->row && set->row->project && type->cardinality >= 2 && !type->needs_normals;
}

static bool plan(grid_planning *p)
{
    const pli_task_hooks tasks = pli_tasks_hooks(p->world->tasks);
    pli_memory *memory = &p->world->memory;
    p->items = PLI_ALLOCATE_UNSET(memory, pli_sort_pair, p->count);
    p->rows = PLI_ALLOCATE(memory, row_plan, p->grid->rows);
    p->pieces = PLI_ALLOCATE(memory, piece_plan, pli_piece_count(p->count, PLAN_GRAIN));
    if (!p->items || !p->rows || !p->pieces)
        return false;
    if (!grid_make_groups(p))
        return true;
    if (!pli_sort_pairs(memory, &tasks, p->items, p->count, p->group_count))
        return false;
    int32_t run_count = number_runs(p);
    return (int64_t)run_count * LEAST_RUN > p->count || store_runs(p, run_count);
}

bool pli_runs_plan(pli_world *world, pli_constraints_data *set, const int32_t *places, int32_t count)
{
    grid_planning p = {.world = world,
                       .set = set,
                       .grid = set->deformable->grid,
                       .places = places,
                       .count = count,
                       .cardinality = set->type->cardinality};
    if (!pli_runs_may(set) || count == 0)
        return true;
    p.rows_per_place = 1.0 / (double)p.grid->columns;
    p.blocks = pli_block_count(p.grid);
    p.band_rows = band_rows_of(p.grid);
    p.block_bands = (p.grid->rows / p.blocks + p.band_rows) / p.band_rows;
    bool complete = plan(&p);
    void *arrays[] = {p.items, p.rows, p.pieces};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(&world->memory, arrays[i]);
    return complete;
}

bool pli_runs_copy(pli_world *world, pli_constraints_data *set, const pli_constraints_data *other)
{
    int32_t tasks = 2 * other->block_count, runs = other->run_offsets[tasks];
    set->runs = PLI_ALLOCATE_UNSET(&world->memory, pli_slot_run, runs);
    set->run_offsets = PLI_ALLOCATE_UNSET(&world->memory, int32_t, (int64_t)tasks + 1);
    set->slot_of = PLI_ALLOCATE_UNSET(&world->memory, int32_t, other->count);
    if (!set->runs || !set->run_offsets || !set->slot_of)
        return false;
    memcpy(set->runs, other->runs, (size_t)runs * sizeof *set->runs);
    memcpy(set->run_offsets, other->run_offsets, ((size_t)tasks + 1) * sizeof *set->run_offsets);
    memcpy(set->slot_of, other->slot_of, (size_t)other->count * sizeof *set->slot_of);
    set->block_count = other->block_count;
    return pli_runs_mark(world, set);
}
