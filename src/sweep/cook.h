// Cooking: the arrays of a constraint set, made from stencils.
#ifndef PLI_SWEEP_COOK_H
#define PLI_SWEEP_COOK_H

#include "model/model.h"

// Builds the arrays of a set from stencils in vertices: rest values, colours, padding. The stencils are consumed, but the caller must
// still release them.
pli_status pli_constraints_cook(pli_world *world, pli_constraints_data *set, pli_stencils *stencils, pli_error *error);

#endif
