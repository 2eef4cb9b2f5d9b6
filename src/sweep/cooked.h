// Cooked constraint sets as bytes: written once, then read instead of cooking again.
#ifndef PLI_SWEEP_COOKED_H
#define PLI_SWEEP_COOKED_H

#include "model/model.h"

// Fills a set from the next entry of world->cooked, in place of pli_constraints_cook. `source` is a hash of the
// generator's name, or of the list of particles. Refuses an entry that was cooked from anything else.
pli_status pli_cooked_take(pli_world *world, pli_constraints_data *set, uint64_t source, pli_error *error);

#endif
