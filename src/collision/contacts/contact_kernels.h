// SIMD blocks of contacts: 16 contacts without a common movable particle.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H
#define PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H

#include "collision/state/contact_state.h"

// Arrays that the kernels read and write.
typedef struct pli_contact_arrays {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
    float step;                // [s]
    bool with_friction, again; // With `again`, only marked contacts are swept.
    bool warm_started;         // Contacts start from the forces of the previous substep, including `drag`.
} pli_contact_arrays;

typedef struct pli_contact_batch_kernels {
    // One position sweep: the normal projection, then friction if requested.
    void (*project)(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count);
    // One velocity pass; approaches slower than `bounce` [m/s] are not reflected.
    void (*rebound)(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count, float bounce);
} pli_contact_batch_kernels;

extern const pli_contact_batch_kernels PLI_NAMED(pli_contact_batch);

#endif
