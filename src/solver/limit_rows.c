// Tethers of grids, in columns like their other constraints.
#include "solver/grid.h"
#include "solver/limit.h"

// Numbers each anchor by its first mention; `numbers` are -1 by internal place before.
static int32_t number_of(pli_limit *limit, int32_t *numbers, int32_t place)
{
    if (numbers[place] < 0) {
        numbers[place] = limit->row_anchor_count;
        limit->row_anchors[limit->row_anchor_count++] = place;
    }
    return numbers[place];
}

static void fill_rank(pli_limit *limit, const pli_grid *grid, int32_t rank, int32_t *numbers)
{
    const pli_set *set = limit->set;
    pli_rows *rows = &limit->rows[rank];
    for (int32_t i = 0; i < grid->rows * grid->pitch; i++)
        rows->lengths[i] = INFINITY;
    for (int32_t i = 0; i < set->colour_sizes[rank]; i++) {
        int32_t slot = set->colour_offsets[rank] + i, at = pli_grid_at(grid, pli_index_place(set->index[0][slot]));
        rows->lengths[at] = set->rest[0][slot];
        rows->anchors[at] = number_of(limit, numbers, pli_index_place(set->index[1][slot]));
    }
}

bool pli_limit_lay_rows(pli_world *world, pli_body *body)
{
    pli_limit *limit = body->limit;
    const pli_grid *grid = body->grid;
    pli_memory *memory = &world->memory;
    if (!grid || !limit->set)
        return true;
    int64_t size = (int64_t)grid->rows * grid->pitch;
    int32_t *numbers = PLI_ALLOCATE(memory, int32_t, body->count);
    limit->rows = PLI_ALLOCATE(memory, pli_rows, limit->set->colour_count);
    limit->row_anchors = PLI_ALLOCATE(memory, int32_t, body->count);
    bool complete = numbers && limit->rows && limit->row_anchors;
    for (int32_t i = 0; complete && i < body->count; i++)
        numbers[i] = -1;
    for (int32_t rank = 0; complete && rank < limit->set->colour_count; rank++) {
        limit->rank_count++;
        limit->rows[rank] = (pli_rows){PLI_ALLOCATE(memory, float, size), PLI_ALLOCATE(memory, int32_t, size)};
        complete = limit->rows[rank].lengths && limit->rows[rank].anchors;
        if (complete)
            fill_rank(limit, grid, rank, numbers);
    }
    pli_release(memory, numbers);
    return complete && (limit->row_points = PLI_ALLOCATE(memory, float, 3 * (int64_t)limit->row_anchor_count));
}

void pli_limit_free_rows(pli_world *world, pli_limit *limit)
{
    for (int32_t rank = 0; rank < limit->rank_count; rank++) {
        pli_release(&world->memory, limit->rows[rank].lengths);
        pli_release(&world->memory, limit->rows[rank].anchors);
    }
    pli_release(&world->memory, limit->rows);
    pli_release(&world->memory, limit->row_anchors);
    pli_release(&world->memory, limit->row_points);
}

void pli_limit_project_rows(pli_world *world, pli_body *body)
{
    const pli_limit *limit = body->limit;
    const pli_grid *grid = body->grid;
    int32_t count = limit->row_anchor_count;
    for (int32_t i = 0; i < count; i++) {
        int32_t at = pli_grid_at(grid, limit->row_anchors[i]);
        limit->row_points[i] = grid->at.x[at];
        limit->row_points[count + i] = grid->at.y[at];
        limit->row_points[2 * count + i] = grid->at.z[at];
    }
    for (int32_t rank = 0; rank < limit->rank_count; rank++) {
        pli_grid_tethers tethers = {grid,
                                    limit->rows[rank].lengths,
                                    limit->rows[rank].anchors,
                                    limit->row_points,
                                    limit->row_points + count,
                                    limit->row_points + 2 * count,
                                    body->def.stretch_limit.slack};
        pli_grid_run(world, grid, world->kernels->grid->tether, &tethers);
    }
}
