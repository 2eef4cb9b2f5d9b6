// Contacts between surfaces, 16 in a block: no two of a block's contacts have a particle in common.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H
#define PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H

#include "collision/state/contact_state.h"

// The particles that blocks act on.
typedef struct pli_contact_batch_on {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
} pli_contact_batch_on;

typedef struct pli_contact_batch_kernels {
    // Brings sides apart and takes back what has slid, as one sweep.
    void (*project)(const pli_contact_batch_on *on, pli_contact_batch_block *blocks, int32_t count);
    // Corrects velocities; below `bounce` nothing rebounds [m/s].
    void (*rebound)(const pli_contact_batch_on *on, pli_contact_batch_block *blocks, int32_t count, float bounce);
} pli_contact_batch_kernels;

extern const pli_contact_batch_kernels PLI_NAMED(pli_contact_batch);

#endif
