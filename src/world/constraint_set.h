// Constraint sets of a world.
#ifndef PLI_WORLD_CONSTRAINT_SET_H
#define PLI_WORLD_CONSTRAINT_SET_H

#include "model/model.h"

void pli_constraint_set_free(pli_world *world, pli_constraint_set_data *set);
// Takes a set out of the lists of its world and its deformable.
void pli_constraint_set_unlist(pli_world *world, pli_constraint_set_data *set);
// Makes room for multipliers where the settings, tearing or the user ask for them. False when memory ran out.
bool pli_world_reserve_lambdas(pli_world *world);

#endif
