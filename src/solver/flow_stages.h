// Inside of flow.h: what is swept, in which order, and the two ways in which threads go through it.
#ifndef PLI_SOLVER_FLOW_STAGES_H
#define PLI_SOLVER_FLOW_STAGES_H

#include "solver/flow.h"

#include <stdatomic.h>

enum { PLI_FLOW_SETS_MAX = 16, PLI_FLOW_DEPTH_MAX = 16 };

typedef struct pli_flow {
    const pli_world *world;
    const pli_grid *grid;
    int32_t set_count, iterations, blocks, threads;
    const pli_set *sets[PLI_FLOW_SETS_MAX];
    pli_project run[PLI_FLOW_SETS_MAX];
    pli_projection projections[PLI_FLOW_SETS_MAX][2]
                              [2]; // Of the first sweep of a substep and of others; and in the last one.
    int64_t last_substep;          // Its first stage.
    int64_t end_stage;             // That of `end`, in which nothing is projected.
    int64_t first_stage;           // Of a run of `stages`, of which `depth` follow one another closely at a time.
    int32_t stages, depth;
    pli_grid_due first, later; // What is to be done before the first sweep of all, and of later substeps,
    pli_grid_due end;          // and behind all: null unless it is a whole step, which has `substeps`.
    int32_t substeps;
} pli_flow;

// One sweep over one set.
typedef struct pli_flow_stage {
    const pli_set *set;
    pli_project run; // Null in the stage behind all.
    const pli_projection *projection;
    pli_grid_due before;
    float to; // Part of the step to which what is held moves with that; 0 where it stays.
} pli_flow_stage;

static inline int32_t pli_flow_within(int64_t value, int32_t least, int32_t most)
{
    return value < least ? least : value > most ? most : (int32_t)value;
}

pli_flow_stage pli_flow_stage_at(const pli_flow *flow, int32_t number);
// Does what comes before a stage with the rows begin..end-1.
void pli_flow_do_before(const pli_flow *flow, const pli_flow_stage *stage, int32_t begin, int32_t end);

// What a thread does of the flow, which is `data`: all sweeps over a stretch of blocks, step by step; or whatever block is
// ready.
void pli_flow_by_rows(void *data, int32_t thread);
void pli_flow_by_blocks(void *data, int32_t thread);

#endif
