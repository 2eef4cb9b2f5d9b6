// Constraint sets and attachments follow cuts.
#ifndef PLI_TEARING_TEAR_SETS_H
#define PLI_TEARING_TEAR_SETS_H

#include "model/model.h"

// Prepares a constraint set to follow cuts: decides which of its constraints a cut removes, and reserves memory. False
// when memory ran out.
bool pli_tear_state_adopt(pli_world *world, pli_constraint_set_data *set);

// Let constraints, or attachments, follow the cut that the fabric has just made.
void pli_tear_state_follow_sets(pli_world *world, pli_deformable_data *deformable);
void pli_tear_state_follow_attachments(pli_deformable_data *deformable);
// Reserve the memory for that. False when memory ran out.
bool pli_tear_state_reserve_sets(pli_world *world, pli_deformable_data *deformable, const int32_t *edges,
                                 int32_t count);
bool pli_tear_state_reserve_attachments(pli_world *world, pli_deformable_data *deformable, int32_t copies);

#endif
