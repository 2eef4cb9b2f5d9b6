// Deformables whose mesh is a grid. Their particles lie row by row in memory, and constraints that repeat from vertex
// to vertex are projected in runs without index lists (sweep/grid/grid_runs.c).
//
// Positions have one owner at a time. The world's particle store owns them, except while the project stage sweeps the constraint sets of
// such a deformable: only step_project.c calls pli_grid_enter, after which the structure-of-arrays layout owns them (sweep/grid/grid_kernels.h),
// and pli_grid_leave, after which the store owns them again (sweep/grid/grid_sweep.h). docs/decisions/schedules.md.
//
//   store --pli_grid_enter--> layout --pli_grid_sweep--> layout --pli_grid_leave--> store
#ifndef PLI_SWEEP_GRID_GRID_LAYOUT_H
#define PLI_SWEEP_GRID_GRID_LAYOUT_H

#include "sweep/grid/grid_kernels.h"
#include "model/model.h"

// Detects whether the mesh is a grid; if so, sets the order of the deformable in memory to row by row and allocates the
// layout. False when memory ran out.
bool pli_grid_make(pli_world *world, pli_deformable_data *deformable);
void pli_grid_free(pli_world *world, pli_deformable_data *deformable);

enum { PLI_RUN_STRIDE = 64 };
// A set with runs has no index lists. pli_run_of finds the run that contains a slot, and pli_run_particle the internal index of particle k
// of the constraint in that slot. Both need the marks that pli_runs_mark creates: false when memory ran out.
bool pli_runs_mark(pli_world *world, pli_constraints_data *set);
const pli_slot_run *pli_run_of(const pli_constraints_data *set, int32_t slot);
static inline int32_t pli_run_particle(const pli_grid_layout *grid, const pli_slot_run *run, int32_t k, int32_t slot)
{
    return pli_grid_particle(grid, run->at[k]) + PLI_INTERLEAVE * (slot - run->slot);
}

#endif
