// Constraint types and generators by name, from the built-in tables or registered by the user.
#ifndef PLI_MODEL_USER_TYPES_H
#define PLI_MODEL_USER_TYPES_H

#include "model/model.h"

// The built-in or user type with this name; otherwise null, and NOT_FOUND with a suggestion.
const pli_constraint_type *pli_world_find_type(const pli_world *world, const char *name, const pli_constraint_row **row,
                                               pli_error *error);
// The built-in or user generator with this name, or null. `name` may be null.
const pli_generator *pli_world_find_generator(const pli_world *world, const char *name);

#endif
