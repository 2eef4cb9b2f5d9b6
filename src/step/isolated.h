// Isolated deformables: nothing can touch them during a step. Each of them runs all substeps in a row, so that its particles
// and constraints stay in the fastest cache, and the search for contacts leaves it out.
//
//      [  A  ]          [  B  ]..[  C  ]        Boxes bound the space that a deformable may sweep in the step (extent.h).
//       isolated           substep by substep   A overlaps no other box; B and C may touch.
//
// A box is an estimate, since constraints may move particles further. Isolated deformables are therefore tested while they
// run, the others in each substep. If one leaves its box, isolated deformables return to the start of the step and repeat it
// up to the current stage of the others: after the prediction of a substep, or before its guarantee. Then all continue together.
#ifndef PLI_STEP_ISOLATED_H
#define PLI_STEP_ISOLATED_H

#include "step/step.h"

// Before a step: marks isolated deformables and assigns equal deformables to crowds (sweep/crowd.h). The result depends only on the
// state, so that it is the same after a restore. False when memory ran out.
bool pli_world_choose_isolated(pli_world *world, float dt);

typedef struct pli_isolated_state {
    bool any;       // Some deformables are isolated.
    int32_t leaves; // The substep in which the first of them leaves its box, or the number of substeps.
} pli_isolated_state;

// Before the first substep: runs isolated deformables through the step. The other deformables ignore them until one leaves its box.
pli_isolated_state pli_isolated_begin(const pli_substep *first);
// Whether all deformables have completed the step, and nothing else has work in it.
bool pli_isolated_are_all(const pli_isolated_state *state, const pli_world *world);
// After a stage: if a deformable has left its box, all continue together. Returns whether the stage must run again, for all of them.
bool pli_isolated_meet(pli_isolated_state *state, const pli_substep *s, pli_stage stage);
// After the last substep.
void pli_isolated_end(pli_world *world);

#endif
