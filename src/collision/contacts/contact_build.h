// Contacts of a substep, made from candidate pairs.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_BUILD_H
#define PLI_COLLISION_CONTACTS_CONTACT_BUILD_H

#include "collision/state/collision_state.h"

// Makes the contacts of this substep from the lists.
void pli_collision_build_contacts(pli_collision *collision);

#endif
