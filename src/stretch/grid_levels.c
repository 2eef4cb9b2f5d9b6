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
} patterns[PLI_GRID_LEVELS_PATTERNS] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};

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

static void fill_weights(const pli_grid_levels_plan *plan, pli_grid_level *level)
{
    const pli_grid_levels *finer = plan->finer, *nodes = &level->nodes;
    for (int32_t i = 0; i < finer->rows; i++)
        level->row_shares[i] = plan->coarse->shares[0][i];
    for (int32_t j = 0; j < finer->columns; j++)
        level->column_shares[j % PLI_INTERLEAVE * level->pitch + j / PLI_INTERLEAVE] = plan->coarse->shares[1][j];
    for (int32_t i = 0; i < finer->rows * finer->columns; i++)
        level->masses[place_of(finer, i)] = (float)plan->finer_masses[i];
    for (int32_t j = 0; j < nodes->rows * nodes->columns; j++) {
        double inverse = plan->masses[j] > 0.0 ? 1.0 / plan->masses[j] : 0.0;
        nodes->at.w[place_of(nodes, j)] = (float)inverse;
        level->inverse_masses[j / nodes->columns * level->pitch + j % nodes->columns] = (float)inverse;
    }
}

static void fill_lengths(const pli_grid_levels_plan *plan, pli_grid_levels_layer *layer)
{
    const pli_coarse *c = plan->coarse;
    const pli_grid_levels *nodes = &layer->level.nodes;
    for (int32_t i = 0; i < c->pair_count; i++) {
        int32_t a = c->pairs[2 * i], b = c->pairs[2 * i + 1], k = 0;
        int32_t down = b / nodes->columns - a / nodes->columns, right = b % nodes->columns - a % nodes->columns;
        while (patterns[k].down != down || patterns[k].right != right)
            k++;
        if (plan->lengths[i] > 0.0)
            layer->lengths[k][place_of(nodes, a)] = (float)plan->lengths[i];
        layer->pair_count += plan->lengths[i] > 0.0;
    }
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

static bool build_fixed(pli_memory *memory, const pli_grid_levels_plan *plan, pli_grid_levels_layer *layer)
{
    int32_t nodes = plan->coarse->count, fixed = 0, members = 0;
    for (int32_t j = 0; j < nodes; j++)
        if (!(plan->masses[j] > 0.0))
            fixed++, members += plan->offsets[j + 1] - plan->offsets[j];
    layer->fixed = PLI_ALLOCATE(memory, int32_t, fixed);
    layer->fixed_offsets = PLI_ALLOCATE(memory, int32_t, (int64_t)fixed + 1);
    layer->fixed_members = PLI_ALLOCATE(memory, int32_t, members);
    layer->fixed_shares = PLI_ALLOCATE(memory, float, members);
    if (!layer->fixed || !layer->fixed_offsets || !layer->fixed_members || !layer->fixed_shares)
        return false;
    for (int32_t j = 0, at = 0; j < nodes; j++) {
        if (plan->masses[j] > 0.0)
            continue;
        for (int32_t i = plan->offsets[j]; i < plan->offsets[j + 1]; i++, at++) {
            layer->fixed_members[at] = place_of(plan->finer, plan->members[i]);
            layer->fixed_shares[at] = plan->shares[i];
        }
        layer->fixed[layer->fixed_count++] = j;
        layer->fixed_offsets[layer->fixed_count] = at;
    }
    return true;
}

bool pli_grid_levels_build(pli_memory *memory, const pli_grid_levels_plan *plan, pli_grid_levels_layer *layer)
{
    if (!allocate_nodes(memory, plan->coarse, layer) || !allocate_level(memory, plan->finer, &layer->level) ||
        !build_fixed(memory, plan, layer))
        return false;
    fill_weights(plan, &layer->level);
    fill_lengths(plan, layer);
    build_runs(layer);
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
