// SIMD blocks of contacts: 16 contacts without a common movable particle.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H
#define PLI_COLLISION_CONTACTS_CONTACT_KERNELS_H

#include "simd/wide.h"

enum { PLI_CONTACT_LANES = 16 };

// A block: pli_surface_contact as a structure of arrays. Padding lanes refer to the dummy particle, of inverse mass 0.
typedef struct pli_contact_block {
    int32_t at[4][PLI_CONTACT_LANES];
    float weights[4][PLI_CONTACT_LANES], normal[3][PLI_CONTACT_LANES];
    float rest_distance[PLI_CONTACT_LANES], friction[PLI_CONTACT_LANES], restitution[PLI_CONTACT_LANES],
        approach[PLI_CONTACT_LANES];
    float normal_sum[PLI_CONTACT_LANES], friction_sum[PLI_CONTACT_LANES], restitution_impulse[PLI_CONTACT_LANES];
    int32_t contact[PLI_CONTACT_LANES]; // Index of the contact; -1 for a padding lane.
} pli_contact_block;

// Arrays that the kernels read and write.
typedef struct pli_contact_arrays {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
} pli_contact_arrays;

typedef struct pli_contact_batch_kernels {
    // One position sweep: the normal projection, then friction.
    void (*project)(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count);
    // One velocity pass; approaches slower than `bounce` [m/s] are not reflected.
    void (*rebound)(const pli_contact_arrays *on, pli_contact_block *blocks, int32_t count, float bounce);
} pli_contact_batch_kernels;

extern const pli_contact_batch_kernels PLI_NAMED(pli_contact_batch);

#endif
