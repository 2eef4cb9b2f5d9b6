// Contacts between surfaces, 16 in a block: no two of a block's contacts have a particle in common.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H
#define PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H

#include "simd/wide.h"

enum { PLI_CONTACT_LANES = 16 };

// The lanes of pli_surface_contact side by side. Lanes without a contact have particles of inverse mass 0.
typedef struct pli_contact_block {
    int32_t at[4][PLI_CONTACT_LANES];
    float weights[4][PLI_CONTACT_LANES], normal[3][PLI_CONTACT_LANES];
    float rest_distance[PLI_CONTACT_LANES], friction[PLI_CONTACT_LANES], restitution[PLI_CONTACT_LANES],
        approach[PLI_CONTACT_LANES];
    float normal_sum[PLI_CONTACT_LANES], friction_sum[PLI_CONTACT_LANES], restitution_impulse[PLI_CONTACT_LANES];
    int32_t contact[PLI_CONTACT_LANES]; // Which contact; -1 for none.
} pli_contact_block;

// The particles that blocks act on.
typedef struct pli_contact_arrays {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
} pli_contact_arrays;

typedef struct pli_contact_batch_kernels {
    // Brings sides apart and takes back what has slid, as one sweep.
    void (*project)(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count);
    // Corrects velocities; below `bounce` nothing rebounds [m/s].
    void (*rebound)(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count, float bounce);
} pli_contact_batch_kernels;

extern const pli_contact_batch_kernels PLI_NAMED(pli_contact_batch);

#endif
