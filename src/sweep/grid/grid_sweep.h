// Sweeps over the sets of a grid, which wait and are then run together.
//
// A sweep over a set has two stages: the runs inside of each block of rows, and the runs that cross from each block into the next
// (sweep/grid/grid_runs.c). Copies to the layout and back have one stage each. No two items of a stage share a particle. A stage may start on a
// block as soon as the stage before it is done with the rows around it, so that one thread takes all stages over the grid in one pass, and
// a row is read from memory once instead of once for each stage:
//
//   block         0     1     2     3     4
//   enter         done  done  done  now
//   crossing      done  done  now                 the items of blocks 0 and 1, of 1 and 2, of 2 and 3
//   inside        done  done  now
//   leave         done  now
//
// Several threads have a range of blocks each. Near the border of two ranges, stages wait until both ranges are done:
//
//   block         0     1     2  |  3     4     5
//   enter         1     1     1  |  1     1     1
//   crossing         1     1     2     1     1        2: after both ranges
//   inside        1     1     2  |  2     1     1
//
// Each particle sees the same stages in the same order, however many threads there are.
#ifndef PLI_SWEEP_GRID_GRID_SWEEP_H
#define PLI_SWEEP_GRID_GRID_SWEEP_H

#include "sweep/grid/grid_layout.h"

// A sweep of backward and forward passes over three sets, and the copies; more are run in several parts.
enum { PLI_GRID_WAITING = 8 };

// A sweep over a set, or a copy of all rows.
typedef struct pli_grid_work {
    pli_project project; // Null for a copy.
    pli_projection projection;
    const int32_t *offsets; // The runs of `projection`, see pli_constraints_data.run_offsets.
    bool leaves;            // For copies: to the store.
} pli_grid_work;

typedef struct pli_grid_queue {
    pli_world *world;
    pli_deformable_data *deformable;
    pli_grid_work waiting[PLI_GRID_WAITING];
    int32_t count;
} pli_grid_queue;

// Copies to the layout: positions, previous positions if the damping of a set reads them, and losses.
void pli_grid_enter(pli_grid_queue *queue);
// Projects every run of a set once. The positions of its deformable must be in the layout.
void pli_grid_sweep(pli_grid_queue *queue, const pli_constraints_data *set, const pli_projection *projection);
// Copies positions and losses back to the store.
void pli_grid_leave(pli_grid_queue *queue);
// Runs what waits, if anything does.
void pli_grid_finish(pli_grid_queue *queue);

#endif
