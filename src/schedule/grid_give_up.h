// A grid given up for a deformable that is going to be cut.
#ifndef PLI_SCHEDULE_GRID_GIVE_UP_H
#define PLI_SCHEDULE_GRID_GIVE_UP_H

#include "model/model.h"

// Gives up what a deformable's sets know of runs: they are cooked again, for one that is going to be cut.
bool pli_grid_give_up(pli_world *world, pli_deformable_data *deformable);

#endif
