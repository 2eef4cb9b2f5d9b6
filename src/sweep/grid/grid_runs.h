// Runs of a grid: constraints that repeat from particle to particle, found and distributed over blocks of rows.
#ifndef PLI_SWEEP_GRID_GRID_RUNS_H
#define PLI_SWEEP_GRID_GRID_RUNS_H

#include "sweep/grid/grid_layout.h"

// First row of a block of rows; for block == blocks, the number of rows.
static inline int32_t pli_block_begin(int32_t block, int32_t blocks, int32_t rows)
{
    return (int32_t)((int64_t)block * rows / blocks);
}

// Number of blocks that the rows are divided into; threads take one block at a time.
int32_t pli_block_count(const pli_grid_layout *grid);

// Whether the set belongs to a grid and its type has kernels that project runs.
bool pli_runs_may(const pli_constraints_data *set);
// Plans the runs of a set from `places`, the internal indices of the particles of `count` constraints. `set->runs` stays NULL if the
// constraints do not repeat or their runs would be too short. False when memory ran out.
bool pli_runs_plan(pli_world *world, pli_constraints_data *set, const int32_t *places, int32_t count);
// Copies the runs of another set that constrains the same particles. False when memory ran out.
bool pli_runs_copy(pli_world *world, pli_constraints_data *set, const pli_constraints_data *other);

#endif
