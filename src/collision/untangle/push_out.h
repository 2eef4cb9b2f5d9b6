// Particles inside of closed colliders move to the nearest point of the surface: Mueller et al. 2006, Position Based
// Dynamics, section 3.4, the static case. They move part of the distance in each substep and gain no velocity, so that deep
// cloth comes out in one piece.
#ifndef PLI_COLLISION_UNTANGLE_PUSH_OUT_H
#define PLI_COLLISION_UNTANGLE_PUSH_OUT_H

#include "collision/pair_search/pair_search.h"

// Finds the particles of deformables inside of closed colliders. Returns false when out of memory.
bool pli_find_inside(pli_find *find);
// Finds them and pushes each of them out. Returns false when out of memory.
bool pli_push_out(pli_find *find);

#endif
