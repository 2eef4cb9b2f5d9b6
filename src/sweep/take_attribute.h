// Changes of attributes: common to painting, the edges of a sheet, and snapshots.
#ifndef PLI_SWEEP_TAKE_ATTRIBUTE_H
#define PLI_SWEEP_TAKE_ATTRIBUTE_H

#include "model/attributes.h"

// Replaces the array of a row in a deformable or set, which takes ownership, and marks what its row rebuilds.
void pli_attribute_take(pli_world *world, void *object, const pli_attribute *row, void *array);

// Allocates compliance scales and their base by slot, unless the set has them; they start with the values in effect. False when memory
// ran out.
bool pli_constraints_reserve_scales(pli_world *world, pli_constraints_data *set);
// Call this after scales or factors have changed.
void pli_constraints_take_scales(pli_world *world, pli_constraints_data *set);

#endif
