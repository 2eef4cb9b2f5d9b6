// Contacts projected, colour by colour, with friction.
#ifndef PLI_COLLISION_PUSH_H
#define PLI_COLLISION_PUSH_H

#include "collision/space.h"

// Sorts the contacts by colours such that no two of one share a particle that moves. What moves a
// rigid body comes last and one at a time. False when memory ran out.
bool pli_touches_colour(pli_space *space);

#endif
