// Stiffness by constraint: common to painting and the edges of a sheet.
#ifndef PLI_WORLD_MATERIAL_PAINT_H
#define PLI_WORLD_MATERIAL_PAINT_H

#include "model/model.h"

// Allocates scales and factors by constraint, unless the set has them; both start with the values in effect. Errors: INVALID_ARGUMENT for
// sets that cannot have them; OUT_OF_MEMORY.
pli_status pli_constraints_reserve_scales(pli_world *world, pli_constraints_data *set, pli_error *error);
// Must be called after scales or factors have changed.
void pli_constraints_take_scales(pli_world *world, pli_constraints_data *set);

#endif
