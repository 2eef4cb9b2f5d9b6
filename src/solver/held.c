// What attachments hold of grids, row by row, so that it can be moved where the rows are at hand.
#include "solver/held.h"

#include "base/memory.h"

static bool holds(const pli_tie *tie) { return !tie->rigid && !tie->set; }

static int32_t row_of(const pli_tie *tie, int32_t i) { return tie->particles[i] / tie->body->grid->columns; }

static void fill_rows(const pli_body *body)
{
    pli_grid *grid = body->grid;
    int32_t *ends = grid->held_rows, sum = 0;
    for (int32_t row = 0; row <= grid->rows; row++)
        ends[row] = 0;
    for (const pli_tie *tie = body->first_tie; tie; tie = tie->next_tie)
        for (int32_t i = 0; i < tie->count && holds(tie); i++)
            ends[row_of(tie, i)]++;
    for (int32_t row = 0; row <= grid->rows; row++) {
        int32_t own = ends[row];
        ends[row] = sum, sum += own;
    }
    // Each row's number now grows from its first place to that of the next, and is put back one row on.
    for (const pli_tie *tie = body->first_tie; tie; tie = tie->next_tie)
        for (int32_t i = 0; i < tie->count && holds(tie); i++)
            grid->held[ends[row_of(tie, i)]++] = (pli_held){tie, pli_grid_at(grid, tie->particles[i]), i};
    for (int32_t row = grid->rows; row > 0; row--)
        ends[row] = ends[row - 1];
    ends[0] = 0;
}

bool pli_world_list_held(pli_world *world)
{
    for (int32_t b = 0; b < world->bodies.count; b++) {
        const pli_body *body = (const pli_body *)(const void *)world->bodies.items[b];
        int32_t count = 0;
        for (const pli_tie *tie = body->first_tie; tie; tie = tie->next_tie)
            count += holds(tie) ? tie->count : 0;
        pli_grid *grid = body->grid;
        if (!grid)
            continue;
        if (!pli_reserve(&world->memory, &grid->held, &grid->held_capacity, count, sizeof *grid->held))
            return false;
        fill_rows(body);
    }
    return true;
}

void pli_grid_put_held(const pli_grid *grid, int32_t begin, int32_t end, float to)
{
    const pli_tie *posed = NULL;
    pli_transform pose = pli_transform_identity();
    for (int32_t i = grid->held_rows[begin]; i < grid->held_rows[end]; i++) {
        const pli_held *held = &grid->held[i];
        const pli_tie *tie = held->tie;
        if (tie != posed)
            pose = pli_transform_between(tie->pose, tie->next, to);
        posed = tie;
        pli_vec3 p = pli_transform_point(pose, tie->locals[held->member]);
        grid->at.x[held->at] = p.x, grid->at.y[held->at] = p.y, grid->at.z[held->at] = p.z;
    }
}
