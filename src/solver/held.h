// What attachments hold of grids, row by row.
#ifndef PLI_SOLVER_HELD_H
#define PLI_SOLVER_HELD_H

#include "solver/body.h"

// A particle of a grid: what holds it, its place in columns, and its number among those that are held.
typedef struct pli_held {
    const pli_tie *tie;
    int32_t at, member;
} pli_held;

// Lists the held particles of each grid by row, before a step. False when memory ran out.
bool pli_world_list_held(pli_world *world);
// Moves those of the rows begin..end-1 of a grid that is in columns.
void pli_grid_put_held(const pli_grid *grid, int32_t begin, int32_t end, float to);

#endif
