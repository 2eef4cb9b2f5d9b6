// Contacts in blocks of 16, swept colour by colour by SIMD kernels (contact_kernels.h).
#ifndef PLI_COLLISION_CONTACTS_CONTACT_BATCH_H
#define PLI_COLLISION_CONTACTS_CONTACT_BATCH_H

#include "collision/state/collision_state.h"

// `fill` copies the contacts into the blocks, `collect` copies the accumulated impulses of the blocks back.
void pli_contact_batch_fill(pli_collision *collision);
void pli_contact_batch_collect(pli_collision *collision);
// One sweep over all blocks: positions (`project`; with `again` only marked contacts), or velocities (`rebound`, with the threshold
// `bounce` [m/s]).
void pli_contact_batch_project(pli_collision *collision, bool with_friction, bool again);
void pli_contact_batch_rebound(pli_collision *collision, float bounce);

#endif
