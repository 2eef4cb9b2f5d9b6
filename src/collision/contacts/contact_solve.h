// Contacts projected, colour by colour, with friction, and their restitution.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_SOLVE_H
#define PLI_COLLISION_CONTACTS_CONTACT_SOLVE_H

#include "collision/state/collision_state.h"

// Sorts the contacts by colours such that no two of one share a particle that moves, into blocks. What moves a
// rigid body comes last and one at a time. False when memory ran out.
bool pli_surface_contacts_colour(pli_collision *collision);

// One sweep over the contacts.
void pli_collision_project(pli_collision *collision);
// Marks and links the surfaces that pushed one another in this substep.
void pli_collision_mark_touched(pli_collision *collision);
// Restitution. `bounce` is the approach below which nothing rebounds [m/s].
void pli_collision_rebound(pli_collision *collision, float bounce);

#endif
