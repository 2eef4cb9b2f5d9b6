// Finds support contacts, where bodies rest on colliders through cloth.
#ifndef PLI_RIGID_COUPLING_SUPPORT_CONTACT_FIND_H
#define PLI_RIGID_COUPLING_SUPPORT_CONTACT_FIND_H

#include "model/model.h"

// Finds the support contacts of a substep from its contacts.
void pli_world_find_support_contacts(pli_world *world);

#endif
