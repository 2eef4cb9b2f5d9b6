// Contacts of a substep.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_BUILD_H
#define PLI_COLLISION_CONTACTS_CONTACT_BUILD_H

#include "collision/state/collision_state.h"

// Builds the contacts from all candidate pairs, particle pairs and one-sided contacts, and colours them.
void pli_collision_build_contacts(pli_collision *collision);

#endif
