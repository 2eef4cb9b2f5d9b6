// Contacts between surfaces of triangles in the equations of solved membranes.
//
// A contact that is projected behind the solve is pushed by a depth that follows from the mass of its particles. On a stiff membrane that
// is far too little for the load, and each push strains the membrane, which answers in the next substep. So a contact's force lasts
// from substep to substep: it is one of the forces F of the equations (membrane/membrane.h), and the projection only corrects it. At
// rest nothing is left to correct.
//
//   forces of the substep before -> begin: matched by the contacts' vertices, added to F
//   products of the equations    -> multiply: contacts that bear something also resist, as springs of 100 m / h^2 along the
//                                   normal, and of 10 m / h^2 in the surface where friction holds
//   solution                     -> answer: what these springs bear belongs to the contacts' forces
//   projection of contacts       -> keep: forces for the next substep
//
// A spring may pull, in the substep in which the sides part; the forces that are kept only push.
#ifndef PLI_MEMBRANE_SURFACE_FORCES_H
#define PLI_MEMBRANE_SURFACE_FORCES_H

#include "membrane/membrane.h"

// A contact that bears something, as a spring between up to four particles.
typedef struct pli_contact_spring {
    int32_t block, lane;       // Where the contact is.
    int32_t at[4];             // Particles in the store.
    pli_membrane *membrane[4]; // The membrane of each, or null for what the equations do not move.
    int32_t node[4];           // Its node there.
    float weights[4];
    pli_vec3 normal;
    float across, along; // Stiffness along the normal and in the surface [N/m].
} pli_contact_spring;

typedef struct pli_surface_forces {
    pli_world *world;
    pli_membrane **membranes; // [deformables] those that are solved together; null for the others.
    float step;               // Substep [s].
    pli_contact_spring *springs;
    int32_t count;
    pli_vec3 *applied; // [lanes of blocks] the force that the equations have, times step^2 [kg m].
} pli_surface_forces;

// Before the first iteration of a substep: memory in the arena of collision, for the membranes, which the caller takes from there. Without
// contacts or memory there are no forces; a lack of memory is noted in the world.
void pli_surface_forces_reserve(pli_surface_forces *forces, pli_world *world, pli_membrane **membranes, float step);
// Once membranes are open (membrane/membrane.h): adds forces and springs.
void pli_surface_forces_begin(pli_surface_forces *forces, int32_t iteration);
// Subtracts the springs' products with the displacements from the residuals.
void pli_surface_forces_multiply(const pli_surface_forces *forces);
// Once membranes know their step length: adds what the springs bear to the forces.
void pli_surface_forces_answer(pli_surface_forces *forces);
// Behind the projections: keeps the forces for the next substep. Notes a lack of memory in the world.
void pli_surface_forces_keep(const pli_surface_forces *forces);

// A step that fails or is cancelled leaves the forces as they were before it. Save returns false when out of memory.
bool pli_surface_forces_save(pli_world *world);
void pli_surface_forces_restore(pli_world *world);

#endif
