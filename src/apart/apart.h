// Deformables that nothing can meet during a step. Each of them goes through all substeps at once, so that its particles and
// constraints stay in the fastest cache, and the search for contacts does not know of it.
//
//      [  A  ]          [  B  ]..[  C  ]        Boxes about all that a deformable may pass in the step (extent.h). A
//         alone            substep by substep   meets no other; B and C may touch.
//
// A box is a guess, since constraints may throw particles further. So all keep an eye on theirs: those that are alone as
// they run, the others in each substep. Where one leaves its box, all return to the state that the substep begins with,
// which those that are alone reach again from the start of the step, and go on together.
#ifndef PLI_APART_APART_H
#define PLI_APART_APART_H

#include "model/model.h"

// Before a step: marks who is alone (`apart`). Decided from the state alone, so that it is the same after a restore. False
// when memory ran out.
bool pli_world_choose_apart(pli_world *world, float dt);
// Whether any deformable is marked.
bool pli_world_any_apart(const pli_world *world);
// Takes all marks back.
void pli_world_forget_apart(pli_world *world);

// Whether a deformable is within its box, at the start of its substep and now.
bool pli_deformable_is_within(const pli_world *world, const pli_deformable_data *deformable);
// Whether all that are not marked are.
bool pli_world_others_are_within(const pli_world *world);

#endif
