// Contacts between surfaces of triangles, and attachments to rigid bodies, in the equations of solved membranes.
//
// A contact that is projected behind the solve is pushed by a depth that follows from the mass of its particles. On a stiff membrane that
// is far too little for the load, and each push strains the membrane, which answers in the next substep. So a contact's force lasts
// from substep to substep: it is one of the forces F of the equations (membrane/membrane.h), and the projection only corrects it. At
// rest nothing is left to correct. A point of an attachment to a rigid body is the same without a normal.
//
//   forces of the substep before -> begin: matched by the vertices, added to F and to rigid bodies
//   products of the equations    -> multiply: what bears something also resists, as a spring of 100 m / h^2 along the normal, of
//                                   10 m / h^2 in the surface where friction holds, and of 100 m / h^2 in every direction at an
//                                   attachment. The displacement of a rigid body is solved for exactly (rigid_unknowns.h)
//   solution                     -> update: what these springs bear belongs to the forces
//   projections                  -> keep: forces for the next substep
//
// A spring may pull, in the substep in which the sides part; the forces of contacts that are kept only push.
#ifndef PLI_MEMBRANE_SURFACE_FORCES_H
#define PLI_MEMBRANE_SURFACE_FORCES_H

#include "membrane/membrane.h"
#include "membrane/rigid_unknowns.h"

// A contact or a point of an attachment that bears something, as a spring between up to four particles, or them and a rigid body.
typedef struct pli_contact_spring {
    int32_t slot;                    // The contact: lanes of blocks first, then those that are solved one at a time.
    pli_attachment_data *attachment; // Or the attachment, and its point; null for a contact.
    int32_t point;
    pli_rigid_body_data
        *rigid; // The body on side b for a sign of 1, on side a for -1; null for none that can be moved.
    float sign;
    pli_vec3 place;            // Where it meets the body [m].
    int32_t at[4];             // Particles in the store.
    pli_membrane *membrane[4]; // The membrane of each, or null for what the equations do not move.
    int32_t node[4];           // Its node there.
    float weights[4];
    pli_vec3 normal;
    float friction;
    bool sticks;         // Friction holds the contact.
    float across, along; // Stiffness along the normal and in the surface [N/m].
} pli_contact_spring;

typedef struct pli_surface_forces {
    pli_world *world;
    pli_membrane *
        *membranes; // [deformables] those that are solved together; null for the others, and null without memory.
    float step;     // Substep [s].
    pli_contact_spring *springs;
    int32_t count;
    int32_t lanes, slots; // Lanes of blocks, and all contacts.
    pli_vec3 *applied;    // [slots and points of attachments] the force that the equations have, times step^2 [kg m].
    pli_rigid_unknown *rigids; // [rigid bodies]
    int32_t *groups;           // [deformables, rigid bodies] which of them springs join.
    double (*curves)
        [3]; // [deformables] sums of their products, and the largest displacement over its limit, for the step length.
} pli_surface_forces;

// Before the first iteration of a substep: memory in the arena of collision, for the membranes, which the caller takes from there. Without
// membranes or memory there are no forces; a lack of memory is noted in the world.
void pli_surface_forces_reserve(pli_surface_forces *forces, pli_world *world, pli_membrane **membranes, float step);
// Once membranes are open (membrane/membrane.h): adds forces and springs.
void pli_surface_forces_begin(pli_surface_forces *forces, int32_t iteration);
// Moves rigid bodies by what the displacements ask for, and subtracts the springs' products from the residuals.
void pli_surface_forces_multiply(pli_surface_forces *forces);
// Once membranes know their step length: adds what the springs bear to the forces.
void pli_surface_forces_update(pli_surface_forces *forces);
// Behind the projections: keeps the forces for the next substep. Notes a lack of memory in the world.
void pli_surface_forces_keep(const pli_surface_forces *forces);

// A step that fails or is cancelled leaves the forces as they were before it. Save returns false when out of memory.
bool pli_surface_forces_save(pli_world *world);
void pli_surface_forces_restore(pli_world *world);

#endif
