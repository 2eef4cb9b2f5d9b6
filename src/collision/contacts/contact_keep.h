// Contacts that persist for several substeps: if two clusters hardly move relative to one another, their contacts from
// the previous substep are reused at the current positions.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_KEEP_H
#define PLI_COLLISION_CONTACTS_CONTACT_KEEP_H

#include "collision/state/collision_state.h"

// Leaves only persistent contacts in the list of contacts, and updates them. Their cluster pairs have a nonzero `made`;
// the contacts of all other pairs must be built. Returns false when out of memory.
bool pli_contacts_keep(pli_collision *collision);
// Sorts contacts in the order of their cluster pairs. Returns false when out of memory.
bool pli_contacts_order(pli_collision *collision);
// Records that all contacts were made or kept, and at which positions. Returns false when out of memory.
bool pli_contacts_note_made(pli_collision *collision);
// Forces all contacts to be rebuilt in the next substep.
void pli_contacts_forget(pli_collision *collision);

// Returns pli_surface_contact.owner for a cluster pair of a list.
static inline int32_t pli_contact_owner(int32_t list, int32_t cluster_pair)
{
    return list == PLI_LIST_DEFORMABLES ? cluster_pair + 1 : -(cluster_pair + 1);
}

#endif
