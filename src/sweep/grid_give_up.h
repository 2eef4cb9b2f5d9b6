// Removes the grid layout of a deformable before it is cut.
#ifndef PLI_SWEEP_GRID_GIVE_UP_H
#define PLI_SWEEP_GRID_GIVE_UP_H

#include "model/model.h"

// Turns the sets with runs into sets with index lists and frees the layout, since a cut breaks the grid. False when
// memory ran out.
bool pli_grid_give_up(pli_world *world, pli_deformable_data *deformable);

#endif
