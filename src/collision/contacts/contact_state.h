// State of contact: the contacts of a substep, and the batches in which they are projected.
#ifndef PLI_COLLISION_CONTACTS_CONTACT_STATE_H
#define PLI_COLLISION_CONTACTS_CONTACT_STATE_H

#include "base/array.h"
#include "base/vector.h"
#include "collision/contacts/contact_kernels.h"

// A contact of a substep.
typedef struct pli_surface_contact {
    int32_t at[4];
    float weights[4];    // Side a's sum to 1, side b's to -1.
    pli_vec3 normal;     // Unit, from b to a.
    float rest_distance; // normal . sum of weights x >= keep [m]
    float friction, restitution;
    float normal_sum, friction_sum; // Sums of projections along the normal and across it [kg m].
    float restitution_impulse;      // Of restitution, along the normal [N s].
    float approach;                 // Normal speed before the sweeps [m/s].
    int32_t surface[2];             // Of the sides.
    int32_t split;                  // Particles of side a.
    int32_t particles;              // Of both; the other places are of the dummy.
    int32_t colour;
} pli_surface_contact;

enum { PLI_CONTACT_COLOURS = 64 };

typedef struct pli_contacts {
    PLI_ARRAY(pli_surface_contact) surface_contacts; // Of this substep.
    int32_t chunk_capacity;                          // That a chunk of candidate pairs gets for its contacts.
    PLI_ARRAY(pli_contact_block) blocks;             // Contacts that have a colour, colour by colour.
    int32_t block_starts[PLI_CONTACT_COLOURS + 1];
    PLI_ARRAY(int32_t) scalar;                // Contacts without a colour, and those that move a rigid body.
    PLI_ARRAY(pli_surface_contact) one_sided; // One-sided contacts of particles on their way out of an intersection.
    uint64_t *masks; // [particle_count] colours in use, in the arena while contacts are coloured.
} pli_contacts;

#endif
