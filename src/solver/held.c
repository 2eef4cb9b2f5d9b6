// What attachments hold of grids, row by row, so that it can be moved where the rows are at hand.
#include "solver/held.h"

#include "base/memory.h"

// Its particles on the grid of a deformable whose held ones are listed.
static bool holds_of(const pli_tie *tie, const pli_body *body) { return tie->body == body && !tie->rigid && !tie->set; }

static int32_t row_of(const pli_tie *tie, int32_t i) { return tie->particles[i] / tie->body->grid->columns; }

static void fill_rows(const pli_world *world, const pli_body *body, int32_t count)
{
    pli_grid *grid = body->grid;
    int32_t *ends = grid->held_rows, sum = 0;
    for (int32_t row = 0; row <= grid->rows; row++)
        ends[row] = 0;
    for (int32_t t = 0; t < world->ties.count && count > 0; t++) {
        const pli_tie *tie = (const pli_tie *)(const void *)world->ties.items[t];
        for (int32_t i = 0; i < tie->count && holds_of(tie, body); i++)
            ends[row_of(tie, i)]++;
    }
    for (int32_t row = 0; row <= grid->rows; row++) {
        int32_t own = ends[row];
        ends[row] = sum, sum += own;
    }
    // Each row's number now grows from its first place to that of the next, and is put back one row on.
    for (int32_t t = 0; t < world->ties.count && count > 0; t++) {
        const pli_tie *tie = (const pli_tie *)(const void *)world->ties.items[t];
        for (int32_t i = 0; i < tie->count && holds_of(tie, body); i++)
            grid->held[ends[row_of(tie, i)]++] = (pli_held){pli_grid_at(grid, tie->particles[i]), t, i};
    }
    for (int32_t row = grid->rows; row > 0; row--)
        ends[row] = ends[row - 1];
    ends[0] = 0;
}

bool pli_world_list_held(pli_world *world)
{
    for (int32_t b = 0; b < world->bodies.count; b++) {
        const pli_body *body = (const pli_body *)(const void *)world->bodies.items[b];
        int32_t count = 0;
        for (int32_t t = 0; t < world->ties.count; t++) {
            const pli_tie *tie = (const pli_tie *)(const void *)world->ties.items[t];
            count += holds_of(tie, body) ? tie->count : 0;
        }
        pli_grid *grid = body->grid;
        if (!grid)
            continue;
        if (!pli_reserve(&world->memory, &grid->held, &grid->held_capacity, count, sizeof *grid->held))
            return false;
        fill_rows(world, body, count);
    }
    return true;
}

void pli_grid_put_held(const pli_world *world, const pli_grid *grid, int32_t begin, int32_t end, float to)
{
    int32_t posed = -1;
    pli_transform pose = pli_transform_identity();
    for (int32_t i = grid->held_rows[begin]; i < grid->held_rows[end]; i++) {
        const pli_held *held = &grid->held[i];
        const pli_tie *tie = (const pli_tie *)(const void *)world->ties.items[held->tie];
        if (held->tie != posed)
            pose = pli_transform_between(tie->pose, tie->next, to);
        posed = held->tie;
        pli_vec3 p = pli_transform_point(pose, tie->locals[held->member]);
        grid->at.x[held->at] = p.x, grid->at.y[held->at] = p.y, grid->at.z[held->at] = p.z;
    }
}
