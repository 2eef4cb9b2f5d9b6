// Projection of contacts with friction, and their restitution.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_SOLVE_H
#define PLI_COLLISION_CONTACTS_CONTACT_SOLVE_H

#include "collision/state/collision_state.h"

// Colours the contacts such that no two contacts of a colour share a movable particle, and fills the blocks. Contacts
// with a rigid body are solved last, one at a time. Returns false when out of memory.
bool pli_surface_contacts_colour(pli_collision *collision);

// One position sweep over all contacts, or, with `again`, over the contacts of sinking islands only.
void pli_collision_project(pli_collision *collision, bool again);
// Finds the islands of surfaces in contact in which loose cloth is pressed deeper than contacts recover in a substep and still sinks. Call
// it again after each sweep: it then finds those of the islands that sink less than before. Returns whether there are any.
bool pli_collision_find_sinking(pli_collision *collision, bool first);
// Marks and links the surfaces that pushed each other in this substep.
void pli_collision_mark_touched(pli_collision *collision);
// Velocity pass; approaches slower than `bounce` [m/s] are not reflected.
void pli_collision_rebound(pli_collision *collision, float bounce);

#endif
