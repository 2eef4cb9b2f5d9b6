// Deformables whose mesh is a grid: their particles lie row by row, and constraints that repeat from vertex to vertex
// run over them without index lists.
//
// While such sets are projected, positions are in columns (src/wide/columns.h). Whoever else looks at particles
// finds them in the world's store, where they are brought back first. docs/decisions/0013.
#ifndef PLI_SOLVER_GRID_H
#define PLI_SOLVER_GRID_H

#include "solver/body.h"
#include "solver/schedule.h"

// Gives a deformable its order in memory and, where its mesh is a grid, what runs need. False when memory ran out.
bool pli_grid_make(pli_world *world, pli_body *body);
void pli_grid_free(pli_world *world, pli_body *body);

// What is to be done with rows before their positions are looked at.
typedef struct pli_grid_due {
    pli_grid_pass run; // Or null.
    void *data;
} pli_grid_due;

pli_grid_motion pli_grid_motion_of(const pli_world *world, pli_body *body, float step);

// Brings positions to columns, with previous ones and with all that moves when asked for.
void pli_grid_come_in(pli_world *world, pli_body *body, bool previous, bool motion);
// Takes over what is due. `motion` is to outlive it.
pli_grid_due pli_grid_take_due(const pli_world *world, pli_body *body, pli_grid_motion *motion);
// Brings positions to columns, with previous ones when asked for, does what is due, and back. Nothing happens when they are there.
void pli_grid_enter(pli_world *world, pli_body *body, bool previous);
void pli_grid_leave(pli_world *world, pli_body *body);
// Ends a substep in columns and starts the next one there, as pli_body_go_on does: when positions are asked for, or
// block by block with the first set that is projected, so that a block is read once for both.
void pli_grid_go_on(pli_world *world, pli_body *body, float step);
// Runs a pass over all rows on the world's threads.
void pli_grid_run(pli_world *world, const pli_grid *grid, pli_grid_pass pass, void *data);
// What the finest level of a hierarchy reads of the particles (sum of wide/lattice.h); and what it moved is passed on
// before positions are asked for, or block by block likewise.
void pli_grid_sum(pli_world *world, pli_body *body, pli_lattice_level *level);
void pli_grid_follow(pli_body *body, pli_lattice_level *level);
// Takes over a particle that was moved in the store.
void pli_grid_put(pli_world *world, pli_body *body, int32_t place);
// One sweep over a set that goes by runs.
void pli_runs_project(pli_world *world, const pli_set *set, const pli_projection *projection);
// First row of a block; that of the block behind the last is the number of rows.
static inline int32_t pli_block_begin(int32_t block, int32_t blocks, int32_t rows)
{
    return (int32_t)((int64_t)block * rows / blocks);
}

// Blocks of rows that threads share a grid in.
int32_t pli_block_count(const pli_grid *grid);

// Whether the set is of a grid and of a type that has kernels for runs.
bool pli_runs_may(const pli_set *set);
// The runs of a set's constraints and their slots: `set->runs` stays null when they do not repeat or are too short.
// `places` are those of each constraint, `count` of them. False when memory ran out.
bool pli_runs_plan(pli_world *world, pli_set *set, const int32_t *places, int32_t count);
// The same for a set between the same particles as another.
bool pli_runs_copy(pli_world *world, pli_set *set, const pli_set *other);
enum { PLI_RUN_STRIDE = 64 };
// The run that holds a slot of a set that goes by runs, and the internal place of particle k of its constraint there.
// Such sets have no index lists. Needs marks, for which memory may run out.
bool pli_runs_mark(pli_world *world, pli_set *set);
const pli_slot_run *pli_run_of(const pli_set *set, int32_t slot);
static inline int32_t pli_run_particle(const pli_grid *grid, const pli_slot_run *run, int32_t k, int32_t slot)
{
    return pli_grid_particle(grid, run->at[k]) + PLI_DEALS * (slot - run->slot);
}

// Gives up what a deformable's sets know of runs: they are cooked again, for one that is going to be cut.
bool pli_grid_give_up(pli_world *world, pli_body *body);

#endif
