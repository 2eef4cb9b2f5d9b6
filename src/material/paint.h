// Stiffness by constraint: what painting and the edges of a sheet share.
#ifndef PLI_MATERIAL_PAINT_H
#define PLI_MATERIAL_PAINT_H

#include "model/model.h"

// Makes room for scales and factors by constraint, unless the set has it; both are then those that act. Errors: INVALID_ARGUMENT for sets that
// cannot have them; OUT_OF_MEMORY.
pli_status pli_constraint_set_reserve_scales(pli_world *world, pli_constraint_set_data *set, pli_error *error);
// To be called after scales or factors have changed.
void pli_constraint_set_take_scales(pli_world *world, pli_constraint_set_data *set);

#endif
