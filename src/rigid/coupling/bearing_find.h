// Finds bearings, where bodies rest on colliders through cloth.
#ifndef PLI_RIGID_COUPLING_BEARING_FIND_H
#define PLI_RIGID_COUPLING_BEARING_FIND_H

#include "model/model.h"

// Finds the bearings of a substep from its contacts.
void pli_world_find_bearings(pli_world *world);

#endif
