// Contacts projected, colour by colour, with friction, and their restitution.
#ifndef PLI_COLLISION_PUSH_H
#define PLI_COLLISION_PUSH_H

#include "collision/space.h"

// Sorts the contacts by colours such that no two of one share a particle that moves, into blocks. What moves a
// rigid body comes last and one at a time. False when memory ran out.
bool pli_touches_colour(pli_space *space);

// One sweep over the contacts.
void pli_space_project(pli_space *space);
// Marks and links the surfaces that pushed one another in this substep.
void pli_space_mark_touched(pli_space *space);
// Restitution. `bounce` is the approach below which nothing rebounds [m/s].
void pli_space_rebound(pli_space *space, float bounce);

#endif
