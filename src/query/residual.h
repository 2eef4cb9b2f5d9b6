// Measures how far constraints are from being satisfied.
#ifndef PLI_QUERY_RESIDUAL_H
#define PLI_QUERY_RESIDUAL_H

#include "model/model.h"

// Returns the violation of constraint `i` (in order of creation) now: its size when violated, else 0.
double pli_constraints_violation(const pli_world *world, const pli_constraints_data *set, int32_t i);

// Returns how far each particle of constraint `i` would move if the constraint were projected alone, without compliance
// and with equal masses [m], to first order; 0 where the constraint is satisfied. The array has the order of
// pli_constraints_particles and lasts until the next call for this set.
const double *pli_constraints_moves(const pli_world *world, const pli_constraints_data *set, int32_t i);

#endif
