// Projection of contacts with friction, and their restitution.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_SOLVE_H
#define PLI_COLLISION_CONTACTS_CONTACT_SOLVE_H

#include "collision/state/collision_state.h"

// Colours the contacts so that two of one colour share no movable particle, and fills the blocks. Contacts with a
// rigid body are solved last, one at a time. Returns false when out of memory.
bool pli_surface_contacts_colour(pli_collision *collision);

// One position sweep over all contacts.
void pli_collision_project(pli_collision *collision);
// Marks and links the surfaces that pushed each other in this substep.
void pli_collision_mark_touched(pli_collision *collision);
// Velocity pass; approaches slower than `bounce` [m/s] are not reflected.
void pli_collision_rebound(pli_collision *collision, float bounce);

#endif
