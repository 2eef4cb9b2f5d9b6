// Constraint types and generators by name, of the tables or registered by the user.
#ifndef PLI_MODEL_USER_TYPES_H
#define PLI_MODEL_USER_TYPES_H

#include "model/model.h"

// The type of that name, built in or the user's; null with NOT_FOUND naming what was meant.
const pli_constraint_type *pli_world_find_type(const pli_world *world, const char *name, const pli_constraint_row **row,
                                               pli_error *error);
// The generator of that name, built in or the user's; null for none. `name` may be null.
const pli_generator *pli_world_find_generator(const pli_world *world, const char *name);

#endif
