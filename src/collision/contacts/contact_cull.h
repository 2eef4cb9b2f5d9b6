// Contacts that others imply.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_CULL_H
#define PLI_COLLISION_CONTACTS_CONTACT_CULL_H

#include "collision/state/collision_state.h"

// Removes contacts with a flat side that contacts of vertices with its triangles imply. Returns false when out of
// memory.
bool pli_surface_contacts_cull(pli_collision *collision);

#endif
