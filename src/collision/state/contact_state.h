// State of contact: the contacts of a substep, and the batches in which they are projected.
#ifndef PLI_COLLISION_STATE_CONTACT_STATE_H
#define PLI_COLLISION_STATE_CONTACT_STATE_H

#include "base/array.h"
#include "base/vector.h"
#include "simd/wide.h"

// A contact of a substep.
typedef struct pli_surface_contact {
    int32_t at[4];
    float weights[4];    // Side a's sum to 1, side b's to -1.
    pli_vec3 normal;     // Unit, from b to a.
    float rest_distance; // normal . sum of weights x >= keep [m]
    float friction, restitution;
    float push, rubbed; // Sums of projections along the normal and across it [kg m].
    float kick;         // Of restitution, along the normal [N s].
    float approach;     // Normal speed before the sweeps [m/s].
    int32_t surface[2]; // Of the sides.
    int32_t split;      // Particles of side a.
    int32_t particles;  // Of both; the other places are of the dummy.
    int32_t colour;
} pli_surface_contact;

enum { PLI_CONTACT_BATCH_LANES = 16 };

// The lanes of pli_surface_contact side by side. Lanes without a contact have particles of inverse mass 0.
typedef struct pli_contact_batch_block {
    int32_t at[4][PLI_CONTACT_BATCH_LANES];
    float weights[4][PLI_CONTACT_BATCH_LANES], normal[3][PLI_CONTACT_BATCH_LANES];
    float rest_distance[PLI_CONTACT_BATCH_LANES], friction[PLI_CONTACT_BATCH_LANES],
        restitution[PLI_CONTACT_BATCH_LANES], approach[PLI_CONTACT_BATCH_LANES];
    float push[PLI_CONTACT_BATCH_LANES], rubbed[PLI_CONTACT_BATCH_LANES], kick[PLI_CONTACT_BATCH_LANES];
    int32_t surface_contact[PLI_CONTACT_BATCH_LANES]; // Which contact; -1 for none.
} pli_contact_batch_block;

enum { PLI_CONTACT_BATCH_COLOURS = 64 };

typedef struct pli_contacts {
    PLI_ARRAY(pli_surface_contact) surface_contacts;  // Of this substep.
    int32_t room;                                     // That a chunk of candidate pairs gets for its contacts.
    PLI_ARRAY(pli_contact_batch_block) contact_batch; // Contacts that have a colour, colour by colour.
    int32_t contact_batch_starts[PLI_CONTACT_BATCH_COLOURS + 1];
    PLI_ARRAY(int32_t) alone;             // Contacts without a colour, and those that move a rigid body.
    PLI_ARRAY(pli_surface_contact) holds; // One-sided contacts of particles on their way out of an intersection.
    uint64_t *masks;                      // [particle_count] colours in use, in the arena while contacts are coloured.
} pli_contacts;

#endif
