// State of contact: the contacts of a substep, and the blocks that the kernels solve.
#ifndef PLI_COLLISION_STATE_CONTACT_STATE_H
#define PLI_COLLISION_STATE_CONTACT_STATE_H

#include "base/array.h"
#include "base/vector.h"
#include "base/simd/wide.h"

#include <stdbool.h>

// A contact: normal . (weighted sum of the displacements in this substep) >= depth. Displacements are small and exact
// even if positions are large and rounded, such as the corners of a floor of two triangles.
typedef struct pli_surface_contact {
    int32_t at[4];       // Particles in the store, side a first.
    float weights[4];    // Weights of side a sum to 1, those of side b to -1.
    pli_vec3 normal;     // Unit vector from side b to side a.
    float rest_distance; // Distance to keep [m].
    float depth;         // Rest distance minus distance at the start of the substep, along the normal [m].
    float friction, restitution;
    float normal_sum, friction_sum; // Accumulated impulses times the substep, normal and tangential [kg m], >= 0.
    pli_vec3 drag;                  // The same as `drag` of pli_contact_force, if forces persist.
    float slips;                    // 1 if friction has not undone the entire slip, 0 if it holds.
    float restitution_impulse;      // Accumulated impulse of the velocity pass [N s].
    float approach;                 // Normal velocity before the sweeps [m/s]; negative when approaching.
    int32_t surface[2];             // Surfaces of the two sides.
    // Distance at the start minus normal . (weighted sum of the positions) there, when the contact was made [m]; 0
    // unless a plane gave the normal.
    float lift;
    float recovery; // Upper limit of `depth` [m].
    int32_t owner;  // The cluster pair of the contact (contact.h); 0 for none.
    int32_t warm;   // 1 + index of its force at the end of the last substep; -1 for none, 0 if made since.
    int32_t colour;
    int8_t split;     // Number of particles on side a.
    int8_t particles; // Number of particles, 2 or 4; the others are the dummy.
    // The side whose plane gave the normal, 0 or 1 (contact.h); -1 for the direction between the closest points.
    int8_t plane_side;
    bool inside_triangle; // The closest point is inside the triangle, not on its sides.
} pli_surface_contact;

// Stored as the number of vertices on side a for a point of an attachment; no contact has this number.
enum { PLI_ATTACHMENT_SPLIT = 4 };

// The force of a contact, or of a point of an attachment to a rigid body, at the end of a substep. If membranes are
// solved, the next substep starts from it (stretch/surface_forces.h).
typedef struct pli_contact_force {
    uint32_t owners[2]; // Ids of the deformables on sides a and b, complements of colliders' ids, or an attachment's.
    int32_t at[4];      // Vertices, as indices into their surfaces; -1 for none.
    int32_t split;      // Number of vertices on side a, PLI_ATTACHMENT_SPLIT for an attachment.
    float normal;       // Impulse along the normal times the substep [kg m].
    pli_vec3 drag;      // Impulse of friction times the substep [kg m].
    bool sticks;        // Friction has undone the entire slip.
} pli_contact_force;

enum { PLI_CONTACT_LANES = 16 };

// A block: pli_surface_contact as a structure of arrays. Padding lanes refer to the dummy particle, which has inverse mass 0.
typedef struct pli_contact_block {
    int32_t at[4][PLI_CONTACT_LANES];
    float weights[4][PLI_CONTACT_LANES], normal[3][PLI_CONTACT_LANES];
    float depth[PLI_CONTACT_LANES], friction[PLI_CONTACT_LANES], restitution[PLI_CONTACT_LANES],
        approach[PLI_CONTACT_LANES];
    float normal_sum[PLI_CONTACT_LANES], friction_sum[PLI_CONTACT_LANES], slips[PLI_CONTACT_LANES],
        restitution_impulse[PLI_CONTACT_LANES];
    float drag[3][PLI_CONTACT_LANES];    // The same as `drag` of pli_contact_force, if forces persist.
    float again[PLI_CONTACT_LANES];      // 1 for contacts that are swept again (contact.h), else 0.
    float lost[4][3][PLI_CONTACT_LANES]; // Displacements that rounding removed from each particle [m].
    int32_t contact[PLI_CONTACT_LANES];  // Index of the contact; -1 for a padding lane.
} pli_contact_block;

enum { PLI_CONTACT_COLOURS = 64 };

// A contact that is solved alone.
typedef struct pli_scalar_contact {
    int32_t contact;  // Index of the contact.
    pli_vec3 lost[4]; // Displacements that rounding removed from each particle [m].
} pli_scalar_contact;

typedef struct pli_contacts {
    // Contacts of this substep. After them come the implied contacts (contact.h), which the next substep may need.
    PLI_ARRAY(pli_surface_contact) surface_contacts;
    int32_t implied;              // Number of implied contacts.
    PLI_ARRAY(pli_particle) ends; // [particle_count] predicted positions when contacts were last made or kept [m].
    int32_t chunk_capacity;       // Initial capacity of a parallel chunk of candidate pairs.
    PLI_ARRAY(pli_contact_block) blocks; // Blocks of coloured contacts, colour by colour.
    int32_t block_starts[PLI_CONTACT_COLOURS + 1];
    // Contacts solved one at a time: contacts with a rigid body, and contacts for which no colour was free.
    PLI_ARRAY(pli_scalar_contact) scalar;
    // Forces at the end of the last substep, and at the end of the last step.
    PLI_ARRAY(pli_contact_force) forces;
    PLI_ARRAY(pli_contact_force) forces_before;
    bool warm_started;                        // Contacts of this substep start from these forces.
    PLI_ARRAY(pli_surface_contact) one_sided; // One-sided contacts of particles that are pushed out (separate.h).
    uint64_t *masks;                          // [particle_count] bits of the colours in use, in the scratch arena.
} pli_contacts;

// Records for all contacts, including those left out of the substep, that they have no force to start from (-1), or that this is unknown
// (0).
static inline void pli_contacts_mark(pli_contacts *contacts, int32_t warm)
{
    for (int32_t i = 0; i < contacts->surface_contacts.count + contacts->implied; i++)
        contacts->surface_contacts.items[i].warm = warm;
}

#endif
