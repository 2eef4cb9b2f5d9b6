// Deformables whose mesh is a grid: their particles lie row by row, and constraints that repeat from vertex to vertex
// run over them without index lists.
//
// Positions have one owner at a time. The world's store has them, except while the project stage sweeps the sets of such a
// deformable: step_project.c alone calls pli_grid_enter, after which they are in the grid's columns (src/wide/columns.h),
// and pli_grid_leave, after which they are in the store again. docs/decisions/0013.
#ifndef PLI_GRID_GRID_LAYOUT_H
#define PLI_GRID_GRID_LAYOUT_H

#include "grid/grid_kernels.h"
#include "model/model.h"

// Where the mesh is a grid, gives the deformable its order in memory, row by row, and the grid's layout. False when
// memory ran out.
bool pli_grid_make(pli_world *world, pli_deformable_data *deformable);
void pli_grid_free(pli_world *world, pli_deformable_data *deformable);

// Copies positions to the grid's columns, and previous positions where the damping of a set reads them.
void pli_grid_enter(pli_world *world, pli_deformable_data *deformable);
// Copies positions back to the store.
void pli_grid_leave(pli_world *world, pli_deformable_data *deformable);
// Runs a pass over all rows on the world's threads.
void pli_grid_run(pli_world *world, const pli_grid_layout *grid, pli_grid_pass pass, void *data);
// One sweep over a set that goes by runs, whose deformable is in its grid.
void pli_runs_project(pli_world *world, const pli_constraint_set_data *set, const pli_projection *projection);
enum { PLI_RUN_STRIDE = 64 };
// The run that holds a slot of a set that goes by runs, and the internal place of particle k of its constraint there.
// Such sets have no index lists. Needs marks, for which memory may run out.
bool pli_runs_mark(pli_world *world, pli_constraint_set_data *set);
const pli_slot_run *pli_run_of(const pli_constraint_set_data *set, int32_t slot);
static inline int32_t pli_run_particle(const pli_grid_layout *grid, const pli_slot_run *run, int32_t k, int32_t slot)
{
    return pli_grid_particle(grid, run->at[k]) + PLI_INTERLEAVE * (slot - run->slot);
}

#endif
