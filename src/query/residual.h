// How far constraints are from being satisfied.
#ifndef PLI_QUERY_RESIDUAL_H
#define PLI_QUERY_RESIDUAL_H

#include "model/model.h"

// Value of constraint `i` (in order of creation) now: its size when violated, else 0.
double pli_constraint_set_violation(const pli_world *world, const pli_constraint_set_data *set, int32_t i);

#endif
