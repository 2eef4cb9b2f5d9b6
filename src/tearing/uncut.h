// Undoes cuts: the check of a snapshot that was taken before the deformable was cut cooks the sets again for the uncut
// mesh and stages them; reading takes over the staged sets.
#ifndef PLI_TEARING_UNCUT_H
#define PLI_TEARING_UNCUT_H

#include "model/model.h"

// Stages the sets of a deformable with a tear state as they were before it had one. Returns false when memory ran out. *known is false,
// with nothing staged, when a set came from a list of the application, since cuts have changed that set.
bool pli_uncut_stage(pli_world *world, pli_deformable_data *deformable, bool *known);
// Takes over the staged sets and removes the tear state.
void pli_uncut_take(pli_world *world, pli_deformable_data *deformable);
// Frees staged sets that were not taken over.
void pli_uncut_drop(pli_world *world, pli_deformable_data *deformable);
// Returns the set as it will be after the snapshot is read: the staged set, or the set itself.
pli_constraints_data *pli_uncut_set(pli_constraints_data *set);

#endif
