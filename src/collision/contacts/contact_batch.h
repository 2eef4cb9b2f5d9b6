// Contacts in batches, swept colour by colour by wide kernels (wide/press.h).
#ifndef PLI_COLLISION_CONTACTS_CONTACT_BATCH_H
#define PLI_COLLISION_CONTACTS_CONTACT_BATCH_H

#include "collision/state/collision_state.h"

// Fills the blocks from the contacts, and tells these what came of it.
void pli_contact_batch_fill(pli_collision *collision);
void pli_contact_batch_collect(pli_collision *collision);
// One sweep over the blocks: positions, or velocities.
void pli_contact_batch_project(pli_collision *collision);
void pli_contact_batch_rebound(pli_collision *collision, float bounce);

#endif
