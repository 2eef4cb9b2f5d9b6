// Contacts that hold for more than one substep: where two clusters hardly move against one another, the contacts between
// them are those of the substep before, at the positions of this one.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_KEEP_H
#define PLI_COLLISION_CONTACTS_CONTACT_KEEP_H

#include "collision/state/collision_state.h"

// Leaves in the list of contacts those that hold, brought up to date. The cluster pairs that they were made of are those
// whose `made` is not 0; all others are to be made. Returns false when out of memory.
bool pli_contacts_keep(pli_collision *collision);
// Puts contacts into the order of their cluster pairs. Returns false when out of memory.
bool pli_contacts_order(pli_collision *collision);
// Notes that all contacts were made or kept, at which positions. Returns false when out of memory.
bool pli_contacts_note_made(pli_collision *collision);
// Has all contacts made anew in the next substep.
void pli_contacts_forget(pli_collision *collision);

// Returns what pli_surface_contact.owner is for a cluster pair of a list.
static inline int32_t pli_contact_owner(int32_t list, int32_t cluster_pair)
{
    return list == PLI_LIST_DEFORMABLES ? cluster_pair + 1 : -(cluster_pair + 1);
}

#endif
