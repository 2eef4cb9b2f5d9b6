// Particles inside of closed colliders are moved out to where the surface is nearest: Mueller et al.
// 2006, section 3.4, the static case. They go some of the way in each substep, so that a deep cloth
// comes out in one piece, and no velocity comes of it.
#ifndef PLI_COLLISION_UNTANGLE_PUSH_OUT_H
#define PLI_COLLISION_UNTANGLE_PUSH_OUT_H

#include "collision/pair_search/pair_search.h"

// Finds the particles of deformables that are inside of closed colliders, and moves each towards the
// nearest surface. False when memory ran out.
bool pli_push_out(pli_find *find);

#endif
