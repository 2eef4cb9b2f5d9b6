// The way back over a cut: the sets of a deformable cooked again for its mesh, which the check of a snapshot stages where the
// deformable was not cut then, and which reading takes over.
#ifndef PLI_TEARING_UNCUT_H
#define PLI_TEARING_UNCUT_H

#include "model/model.h"

// Stages the sets of a deformable with a tear state as they were before it had one. False when memory ran out; *known is false, with
// nothing staged, when a set came from a list of the host's, which cuts have changed.
bool pli_uncut_stage(pli_world *world, pli_deformable_data *deformable, bool *known);
// Takes them over; the deformable has no tear state then.
void pli_uncut_take(pli_world *world, pli_deformable_data *deformable);
// Frees what was staged and not taken over.
void pli_uncut_drop(pli_world *world, pli_deformable_data *deformable);
// The set as it will be after the snapshot is read: the staged one, or itself.
pli_constraint_set_data *pli_uncut_set(pli_constraint_set_data *set);

#endif
