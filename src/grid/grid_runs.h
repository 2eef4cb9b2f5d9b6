// Runs of a grid: constraints that repeat from particle to particle, found and shared out in blocks of rows.
#ifndef PLI_GRID_GRID_RUNS_H
#define PLI_GRID_GRID_RUNS_H

#include "grid/grid_layout.h"

// First row of a block; that of the block behind the last is the number of rows.
static inline int32_t pli_block_begin(int32_t block, int32_t blocks, int32_t rows)
{
    return (int32_t)((int64_t)block * rows / blocks);
}

// Blocks of rows that threads share a grid in.
int32_t pli_block_count(const pli_grid_layout *grid);

// Whether the set is of a grid and of a type that has kernels for runs.
bool pli_runs_may(const pli_constraint_set_data *set);
// The runs of a set's constraints and their slots: `set->runs` stays null when they do not repeat or are too short.
// `places` are those of each constraint, `count` of them. False when memory ran out.
bool pli_runs_plan(pli_world *world, pli_constraint_set_data *set, const int32_t *places, int32_t count);
// The same for a set between the same particles as another.
bool pli_runs_copy(pli_world *world, pli_constraint_set_data *set, const pli_constraint_set_data *other);

#endif
