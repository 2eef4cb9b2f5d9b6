// Contacts between triangle surfaces, and attachments to rigid bodies, in the equations of solved membranes.
//
// A contact that is projected after the solve is pushed by a depth that follows from the mass of its particles. On a stiff membrane this is
// far too little for the load, and each push strains the membrane, which responds in the next substep. Therefore the force of a contact
// persists from substep to substep: it is one of the forces F of the equations (stretch/membrane.h), and the projection only corrects it.
// At rest no correction remains. An attachment point on a rigid body is treated in the same way, without a normal.
//
//   forces of the last substep   -> begin: matched by the vertices, added to F and to rigid bodies
//   products of the equations    -> multiply: a loaded contact also resists, as a spring of 100 m / h^2 along the normal, of
//                                   10 m / h^2 in the surface under static friction, and of 100 m / h^2 in every direction at an
//                                   attachment. The displacement of a rigid body is solved for exactly (rigid_unknowns.h)
//   solution                     -> update: the forces of these springs are added to the contact forces
//   projections                  -> keep: stores the forces for the next substep
//
// A spring may pull in the substep in which its sides separate; the stored forces of contacts only push.
#ifndef PLI_STRETCH_SURFACE_FORCES_H
#define PLI_STRETCH_SURFACE_FORCES_H

#include "stretch/membrane.h"
#include "stretch/rigid_unknowns.h"

// A loaded contact or attachment point, as a spring between up to four particles, or between particles and a rigid body.
typedef struct pli_contact_spring {
    int32_t slot; // The contact: lanes of blocks first, then the contacts that are solved one at a time.
    pli_attachment_data *attachment; // Or the attachment, whose point is `point`; null for a contact.
    int32_t point;
    pli_rigid_body_data
        *rigid; // The body on side b for a sign of 1, on side a for -1; null if no movable body is involved.
    float sign;
    pli_vec3 place;            // The point of application on the body [m].
    int32_t at[4];             // Particles in the store.
    pli_membrane *membrane[4]; // The membrane of each, or null where the equations do not move the particle.
    int32_t node[4];           // Its node in that membrane.
    float weights[4];
    pli_vec3 normal;
    float friction;
    bool sticks;         // Static friction acts on the contact.
    float across, along; // Stiffness along the normal and in the surface [N/m].
} pli_contact_spring;

typedef struct pli_surface_forces {
    pli_world *world;
    pli_membrane **membranes; // [deformables] solved membranes; null for the others, and null without memory.
    float step;               // Substep [s].
    pli_contact_spring *springs;
    int32_t count;
    int32_t lanes, slots;      // The number of lanes of blocks, and of all contacts.
    pli_vec3 *applied;         // [slots and attachment points] the force in the equations, times step^2 [kg m].
    pli_rigid_unknown *rigids; // [rigid bodies]
    int32_t *groups;           // [deformables, rigid bodies] the groups that springs join.
    double (*curves)
        [3]; // [deformables] sums of their products, and the largest displacement over its limit, for the step length.
} pli_surface_forces;

// Before the first iteration of a substep: takes memory for the membranes from the arena of collision detection. Without membranes or
// memory there are no forces; a lack of memory is recorded in the world.
void pli_surface_forces_reserve(pli_surface_forces *forces, pli_world *world, pli_membrane **membranes, float step);
// Once membranes have started their solution (stretch/membrane.h): adds forces and springs.
void pli_surface_forces_begin(pli_surface_forces *forces, int32_t iteration);
// Moves rigid bodies according to the displacements, and subtracts the products of the springs from the residuals.
void pli_surface_forces_multiply(pli_surface_forces *forces);
// Once membranes know their step length: adds the spring forces to the contact forces.
void pli_surface_forces_update(pli_surface_forces *forces);
// After the projections: stores the forces for the next substep. Records a lack of memory in the world.
void pli_surface_forces_keep(const pli_surface_forces *forces);

// A step that fails or is cancelled restores the forces from before it. Save returns false when out of memory.
bool pli_surface_forces_save(pli_world *world);
void pli_surface_forces_restore(pli_world *world, bool repeats);

#endif
