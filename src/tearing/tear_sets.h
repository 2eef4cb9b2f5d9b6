// Updates constraint sets and attachments after cuts.
#ifndef PLI_TEARING_TEAR_SETS_H
#define PLI_TEARING_TEAR_SETS_H

#include "model/model.h"

// Prepares a constraint set for cuts: decides which of its constraints a cut removes, and reserves memory. Returns
// false when memory ran out.
bool pli_tear_state_adopt(pli_world *world, pli_constraints_data *set);

// Apply the cut that the fabric has just made to constraint sets, or to attachments.
void pli_tear_state_follow_sets(pli_world *world, pli_deformable_data *deformable);
void pli_tear_state_follow_attachments(pli_deformable_data *deformable);
// Reserve the memory for these updates. They return false when memory ran out.
bool pli_tear_state_reserve_sets(pli_world *world, pli_deformable_data *deformable, const int32_t *edges,
                                 int32_t count);
bool pli_tear_state_reserve_attachments(pli_world *world, pli_deformable_data *deformable, int32_t copies);

#endif
