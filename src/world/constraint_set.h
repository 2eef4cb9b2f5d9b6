// Constraint sets of a world.
#ifndef PLI_WORLD_CONSTRAINT_SET_H
#define PLI_WORLD_CONSTRAINT_SET_H

#include "model/model.h"

void pli_constraints_free(pli_world *world, pli_constraints_data *set);
// Removes a set from the lists of its world and its deformable.
void pli_constraints_unlist(pli_world *world, pli_constraints_data *set);
// Reserves multipliers where the settings, tearing or the user need them. False when memory ran out.
bool pli_world_reserve_lambdas(pli_world *world);

#endif
