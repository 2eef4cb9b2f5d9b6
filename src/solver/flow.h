// Sweeps over a grid that follow one another, run as one.
//
// A sweep goes down the rows in steps: bands of a few rows inside a block, and what leads from a block to the next as soon
// as both are ready for it. The next sweep, which may be that of another set, iteration or substep, follows a few rows
// behind, and so on: rows are read from far memory once for several sweeps. Threads have stretches of blocks each and wait
// for one another only where these meet. Every particle is moved by the same constraints in the same order as by
// one sweep after the other, so the bits are the same. docs/decisions/0025.
#ifndef PLI_SOLVER_FLOW_H
#define PLI_SOLVER_FLOW_H

#include "solver/grid.h"
#include "solver/set.h"

// Constraints that are projected at once; rows low..high-1 are all that they touch.
struct pli_flow_step {
    int32_t begin, end; // Runs.
    int32_t low, high;
    int32_t open; // No later step of the sweep touches a row before this one.
    int32_t block;
    bool across; // They lead from the block to the next.
};

// Divides a set that goes by runs into steps. False when memory ran out.
bool pli_flow_plan(pli_world *world, pli_set *set);

// Whether all sets of the deformable go by runs and may be swept together.
bool pli_flow_may(const pli_world *world, const pli_body *body);
// A whole step of so many substeps of `step` seconds in columns, from the store and back to it. Nothing but its sets, gravity
// and what holds it may act on the deformable.
void pli_flow_whole(pli_world *world, pli_body *body, float step, int32_t substeps);
// All sweeps of a substep.
void pli_flow_project(pli_world *world, pli_body *body, float step, bool last_substep);
// One sweep over all its sets.
void pli_flow_sweep(pli_world *world, pli_body *body, float step, pli_sweep which);

#endif
