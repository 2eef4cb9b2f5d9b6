// A warning about cloth that was placed inside of a collider.
#ifndef PLI_WORLD_STARTING_INSIDE_H
#define PLI_WORLD_STARTING_INSIDE_H

#include "model/model.h"

// Logs, once for each world, in the first substep after something was placed, which deformable starts inside of which collider.
void pli_world_tell_inside(pli_world *world);

#endif
