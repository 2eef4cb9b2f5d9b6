// Isolated deformables: nothing can touch them during a step. Each of them runs all substeps in a row, so that its particles
// and constraints stay in the fastest cache, and the search for contacts leaves it out.
//
//      [  A  ]          [  B  ]..[  C  ]        Boxes bound the space that a deformable may sweep in the step (extent.h).
//       isolated           substep by substep   A overlaps no other box; B and C may touch.
//
// A box is an estimate, since constraints may move particles further. Isolated deformables are therefore tested while they
// run, the others in each substep. If one leaves its box, isolated deformables return to the start of the step and repeat it
// up to the current stage of the others: after the prediction of a substep, or before its guarantee. Then all continue together.
#ifndef PLI_STEP_APART_H
#define PLI_STEP_APART_H

#include "model/model.h"

// Before a step: marks isolated deformables (`apart`). The result depends only on the state, so that it is the same after a
// restore. False when memory ran out.
bool pli_world_choose_apart(pli_world *world, float dt);
// Whether any deformable is marked.
bool pli_world_any_apart(const pli_world *world);
// Removes all marks.
void pli_world_forget_apart(pli_world *world);

// Whether the current particles of a deformable are within its box.
bool pli_deformable_is_within(const pli_world *world, const pli_deformable_data *deformable);
// Whether all active deformables without a mark are within their boxes.
bool pli_world_others_are_within(const pli_world *world);

#endif
