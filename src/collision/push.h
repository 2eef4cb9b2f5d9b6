// Contacts projected, colour by colour, with friction.
#ifndef PLI_COLLISION_PUSH_H
#define PLI_COLLISION_PUSH_H

#include "collision/space.h"

// Sorts the contacts by colours such that no two of one share a particle that moves, into blocks. What moves a
// rigid body comes last and one at a time. False when memory ran out.
bool pli_touches_colour(pli_space *space);

// Fills the blocks from the contacts, and tells these what came of it.
void pli_press_fill(pli_space *space);
void pli_press_collect(pli_space *space);
// One sweep over the blocks: positions, or velocities.
void pli_press_project(pli_space *space);
void pli_press_rebound(pli_space *space, float bounce);

#endif
