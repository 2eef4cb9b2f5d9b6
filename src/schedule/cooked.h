// Cooked sets as bytes: written once, then taken instead of cooking.
#ifndef PLI_SCHEDULE_COOKED_H
#define PLI_SCHEDULE_COOKED_H

#include "model/model.h"

// Fills a set from the next entry of world->cooked, in place of pli_constraint_set_cook. `source` is a hash of its
// generator's name, or of its list. Refuses an entry that was cooked from something else.
pli_status pli_cooked_take(pli_world *world, pli_constraint_set_data *set, uint64_t source, pli_error *error);

#endif
