// Deformables of a world.
#ifndef PLI_WORLD_DEFORMABLE_H
#define PLI_WORLD_DEFORMABLE_H

#include "model/model.h"

void pli_deformable_free(pli_world *world, pli_deformable_data *deformable);

#endif
