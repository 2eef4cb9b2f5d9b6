// Levels of a grid: the layout of their nodes, pairs and weights, and the passes over them. See stretch/grid_levels.h.
#include "stretch/grid_levels.h"

#include "grid/grid_layout.h"
#include "model/parallel.h"
#include "stretch/grid_levels_kernels.h"

#include <math.h>

enum {
    PLANES = PLI_GRID_LEVELS_PLANES,
    AHEAD = PLI_BATCH, // Floats before the first node, since diagonal pairs reach back.
    PAIR_GRAIN = 1024,
    NODE_GRAIN = 2048,
};

static const struct {
    int32_t down, right;
} patterns[PLI_GRID_LEVELS_PATTERNS] = PLI_GRID_LEVELS_OFFSETS;

static int32_t in_batches(int32_t count) { return (count + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH; }

pli_grid_levels pli_grid_levels_of(const pli_grid_layout *grid)
{
    return (pli_grid_levels){grid->rows, grid->columns, 1, 0, grid->part, grid->pitch, grid->at};
}

/* ---- building ----------------------------------------------------------------------------------- */

// Floats of an array by layout index.
static size_t size_of(const pli_grid_levels *l)
{
    return (size_t)(l->planes > 1 ? l->planes * l->plane : l->rows * l->pitch);
}

static bool allocate_nodes(pli_memory *memory, const pli_coarse *coarse, pli_grid_levels_layer *layer)
{
    pli_grid_levels *nodes = &layer->level.nodes;
    nodes->rows = coarse->sides[0], nodes->columns = coarse->sides[1], nodes->planes = PLANES;
    nodes->pitch = (nodes->columns + PLI_INTERLEAVE - 1) / PLI_INTERLEAVE;
    nodes->part = in_batches((nodes->rows + PLANES - 1) / PLANES * nodes->pitch) + in_batches(nodes->pitch + 2);
    nodes->plane = PLI_INTERLEAVE * nodes->part;
    size_t size = size_of(nodes) + AHEAD;
    float *places = layer->places = PLI_ALLOCATE(memory, float, 4 * size);
    if (!places)
        return false;
    places += AHEAD;
    nodes->at = (pli_soa){places, places + size, places + 2 * size, places + 3 * size};
    for (int32_t k = 0; k < PLI_GRID_LEVELS_PATTERNS; k++) {
        if (!(layer->lengths[k] = PLI_ALLOCATE(memory, float, size)))
            return false;
        for (size_t i = 0; i < size; i++)
            layer->lengths[k][i] = INFINITY;
    }
    return true;
}

static bool allocate_level(pli_memory *memory, const pli_grid_levels *finer, pli_grid_level *level)
{
    // Rows of levels have no slack between them: registers reach into the next row, and beyond the last.
    level->pitch = PLI_INTERLEAVE * in_batches(level->nodes.pitch) + PLI_BATCH;
    size_t size = ((size_t)level->nodes.rows + 1) * (size_t)level->pitch;
    level->finer = finer;
    level->masses = PLI_ALLOCATE(memory, float, size_of(finer) + PLI_BATCH);
    level->row_shares = PLI_ALLOCATE(memory, float, finer->rows);
    level->column_shares = PLI_ALLOCATE(memory, float, PLI_INTERLEAVE *(int64_t)level->pitch);
    level->inverse_masses = PLI_ALLOCATE(memory, float, size);
    float *sums = level->sums[0][0] = PLI_ALLOCATE(memory, float, 15 * size);
    for (size_t k = 0; k < 12 && sums; k++)
        level->sums[k / 3][k % 3] = sums + k * size;
    for (size_t k = 0; k < 3 && sums; k++)
        level->displacements[k] = sums + (12 + k) * size;
    return level->masses && level->row_shares && level->column_shares && level->inverse_masses && sums;
}

static int32_t place_of(const pli_grid_levels *l, int32_t node)
{
    return pli_grid_levels_place(l, node / l->columns, node % l->columns);
}

static void fill_shares(const pli_coarse *coarse, pli_grid_level *level)
{
    const pli_grid_levels *finer = level->finer;
    for (int32_t i = 0; i < finer->rows; i++)
        level->row_shares[i] = coarse->shares[0][i];
    for (int32_t j = 0; j < finer->columns; j++)
        level->column_shares[j % PLI_INTERLEAVE * level->pitch + j / PLI_INTERLEAVE] = coarse->shares[1][j];
}

// Builds the runs: pairs of one kind whose first nodes are in one plane and part have their second nodes in one as
// well. Four successive runs share no node, so that the processor can overlap them: short runs would otherwise wait for
// each other's stores.
static void build_runs(pli_grid_levels_layer *layer)
{
    static const int32_t apart[2][PLANES * PLI_INTERLEAVE] = {{0, 1, 2, 3, 4, 5, 6, 7}, {0, 2, 4, 6, 1, 3, 5, 7}};
    const pli_grid_levels *nodes = &layer->level.nodes;
    for (int32_t i = 0; i < PLI_GRID_LEVELS_PATTERNS * PLANES * PLI_INTERLEAVE; i++) {
        int32_t pattern = i / (PLANES * PLI_INTERLEAVE), first = apart[pattern == 0][i % (PLANES * PLI_INTERLEAVE)];
        int32_t row = first / PLI_INTERLEAVE + patterns[pattern].down,
                column = first % PLI_INTERLEAVE + patterns[pattern].right;
        int32_t part = (column + PLI_INTERLEAVE) % PLI_INTERLEAVE, over = (column - part) / PLI_INTERLEAVE;
        int32_t a = first * nodes->part, count = 0;
        for (int32_t k = 0; k < nodes->part; k++)
            count = layer->lengths[pattern][a + k] < INFINITY ? k + 1 : count;
        int32_t b = row % PLANES * nodes->plane + part * nodes->part + row / PLANES * nodes->pitch + over;
        if (count > 0)
            layer->runs[layer->run_count++] = (pli_grid_levels_run){pattern, a, b, count};
    }
}

// Marks which pairs there are, by a length for now, and builds their runs.
static void build_pairs(const pli_coarse *coarse, pli_grid_levels_layer *layer)
{
    int32_t columns = coarse->sides[1];
    for (int32_t i = 0; i < coarse->pair_count; i++) {
        int32_t a = coarse->pairs[2 * i], b = coarse->pairs[2 * i + 1], k = 0;
        int32_t down = b / columns - a / columns, right = b % columns - a % columns;
        while (patterns[k].down != down || patterns[k].right != right)
            k++;
        layer->diagonals = layer->diagonals || k > 1;
        pli_grid_levels_set_length(layer, k, a, 1.0);
    }
    layer->pair_count = coarse->pair_count;
    build_runs(layer);
}

bool pli_grid_levels_build(pli_memory *memory, const pli_grid_levels *finer, const pli_coarse *coarse,
                           pli_grid_levels_layer *layer)
{
    if (!allocate_nodes(memory, coarse, layer) || !allocate_level(memory, finer, &layer->level))
        return false;
    fill_shares(coarse, &layer->level);
    build_pairs(coarse, layer);
    return true;
}

void pli_grid_levels_set_finer_mass(pli_grid_levels_layer *layer, int32_t finer, float mass)
{
    layer->level.masses[place_of(layer->level.finer, finer)] = mass;
}

void pli_grid_levels_set_mass(pli_grid_levels_layer *layer, int32_t node, float inverse)
{
    pli_grid_level *level = &layer->level;
    int32_t columns = level->nodes.columns;
    level->nodes.at.w[place_of(&level->nodes, node)] = inverse;
    level->inverse_masses[node / columns * level->pitch + node % columns] = inverse;
}

void pli_grid_levels_set_length(pli_grid_levels_layer *layer, int32_t pattern, int32_t node, double length)
{
    layer->lengths[pattern][place_of(&layer->level.nodes, node)] = length > 0.0 ? (float)length : INFINITY;
}

void pli_grid_levels_clear_fixed(pli_grid_levels_layer *layer) { layer->fixed_count = layer->member_count = 0; }

bool pli_grid_levels_add_member(pli_memory *memory, pli_grid_levels_layer *layer, int32_t finer, float share)
{
    int32_t capacity = layer->member_capacity;
    if (!pli_reserve(memory, &layer->fixed_members, &layer->member_capacity, (int64_t)layer->member_count + 1,
                     sizeof *layer->fixed_members) ||
        !pli_reserve(memory, &layer->fixed_shares, &capacity, layer->member_capacity, sizeof *layer->fixed_shares))
        return false;
    layer->fixed_members[layer->member_count] = place_of(layer->level.finer, finer);
    layer->fixed_shares[layer->member_count++] = share;
    return true;
}

bool pli_grid_levels_add_fixed(pli_memory *memory, pli_grid_levels_layer *layer, int32_t node)
{
    int32_t capacity = layer->fixed_capacity;
    if (!pli_reserve(memory, &layer->fixed, &layer->fixed_capacity, (int64_t)layer->fixed_count + 2,
                     sizeof *layer->fixed) ||
        !pli_reserve(memory, &layer->fixed_offsets, &capacity, layer->fixed_capacity, sizeof *layer->fixed_offsets))
        return false;
    layer->fixed_offsets[0] = 0;
    layer->fixed[layer->fixed_count++] = node;
    layer->fixed_offsets[layer->fixed_count] = layer->member_count;
    return true;
}

void pli_grid_levels_free(pli_memory *memory, pli_grid_levels_layer *layer)
{
    if (!layer)
        return;
    pli_grid_level *level = &layer->level;
    void *arrays[] = {
        layer->places,     layer->fixed,      layer->fixed_offsets, layer->fixed_members,  layer->fixed_shares,
        level->masses,     level->row_shares, level->column_shares, level->inverse_masses, level->sums[0][0],
        layer->lengths[0], layer->lengths[1], layer->lengths[2],    layer->lengths[3],     layer};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pli_release(memory, arrays[i]);
}

/* ---- passes ------------------------------------------------------------------------------------- */

// Moves fixed nodes to the centres of mass of the fixed nodes that they stand for.
static void place_fixed(pli_grid_levels_layer *layer)
{
    const pli_grid_level *level = &layer->level;
    const pli_soa *from = &level->finer->at, *to = &level->nodes.at;
    for (int32_t h = 0; h < layer->fixed_count; h++) {
        float sum[3] = {0.0f, 0.0f, 0.0f};
        for (int32_t i = layer->fixed_offsets[h]; i < layer->fixed_offsets[h + 1]; i++) {
            int32_t member = layer->fixed_members[i];
            sum[0] += layer->fixed_shares[i] * from->x[member];
            sum[1] += layer->fixed_shares[i] * from->y[member];
            sum[2] += layer->fixed_shares[i] * from->z[member];
        }
        int32_t node = layer->fixed[h], columns = level->nodes.columns, at = place_of(&level->nodes, node);
        to->x[at] = sum[0], to->y[at] = sum[1], to->z[at] = sum[2];
        for (int32_t k = 0; k < 3; k++)
            level->displacements[k][node / columns * level->pitch + node % columns] = sum[k];
    }
}

// Rows of the particles' grid have slack between them and are processed in parallel. Rows of levels have none:
// registers read what other threads would write, so one thread processes them.
static void run_finer(pli_world *world, pli_grid_level *level, int32_t count, int32_t rows_each,
                      pli_grid_levels_pass pass)
{
    if (level->finer->planes == 1)
        pli_parallel(world, count, NODE_GRAIN / (rows_each * level->finer->columns) + 1, pass, level);
    else
        pass(level, 0, count);
}

void pli_grid_levels_restrict(pli_world *world, pli_grid_levels_layer *layer)
{
    pli_grid_level *level = &layer->level;
    run_finer(world, level, level->nodes.rows, PLI_INTERLEAVE, world->kernels->grid_levels->sum);
    pli_parallel(world, level->nodes.rows, NODE_GRAIN / level->nodes.columns + 1, world->kernels->grid_levels->place,
                 level);
    place_fixed(layer);
}

void pli_grid_levels_project(pli_world *world, pli_grid_levels_layer *layer, int32_t sweeps, float slack)
{
    for (int32_t i = 0; i < sweeps * layer->run_count; i++) {
        const pli_grid_levels_run *run = &layer->runs[i % layer->run_count];
        pli_grid_levels_pairs pairs = {layer->level.nodes.at, layer->lengths[run->pattern], run->a, run->b, slack};
        if (run->count <= PAIR_GRAIN)
            world->kernels->grid_levels->project_pairs(&pairs, 0, run->count);
        else
            pli_parallel(world, run->count, PAIR_GRAIN, world->kernels->grid_levels->project_pairs, &pairs);
    }
}

void pli_grid_levels_prolong(pli_world *world, pli_grid_levels_layer *layer)
{
    pli_grid_level *level = &layer->level;
    pli_parallel(world, level->nodes.rows, NODE_GRAIN / level->nodes.columns + 1,
                 world->kernels->grid_levels->find_displacements, level);
    run_finer(world, level, level->finer->rows, 1, world->kernels->grid_levels->prolong);
}
