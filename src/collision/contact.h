// Contacts of particles with colliders: found once a substep, projected every sweep, and given
// friction and restitution in the velocity update.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.4.
#ifndef PLI_COLLISION_CONTACT_H
#define PLI_COLLISION_CONTACT_H

#include "collision/shape.h"
#include "simd/wide.h"

// A collider during one substep.
typedef struct pli_moving_shape {
    const pli_shape_row *row;
    const pli_collider_def *def;
    pli_transform from, to; // Poses at the ends of the substep.
    float friction, restitution;
} pli_moving_shape;

typedef struct pli_contact {
    int32_t particle;
    int32_t collider;  // Index among the moving shapes.
    pli_vec3 normal;   // Of the collider, in the world.
    float offset;      // normal . x >= offset
    pli_vec3 velocity; // Of the surface [m/s].
    float approach;    // Normal speed before the projection, relative to the surface [m/s].
    float push;        // Sum of the projections along the normal [m].
    float impulse;     // Along the normal, restitution too [N s].
} pli_contact;

// Particles of one deformable and where its contacts are collected.
typedef struct pli_contact_job {
    pli_particle *particles;
    const pli_particle *previous;
    const pli_moving_shape *shapes;
    int32_t shape_count;
    float thickness, step; // [m], [s]
    uint32_t layers, mask;
} pli_contact_job;

// Finds the contacts of particles begin..end-1. Writes at most `capacity` and returns how many
// there are, in the order of pli_contact_before.
int32_t pli_contacts_find(const pli_contact_job *job, int32_t begin, int32_t end, pli_contact *contacts,
                          int32_t capacity);

// The order in which contacts are found: by blocks of particles, colliders, and particles.
bool pli_contact_before(int32_t particle, int32_t collider, const pli_contact *other);

// One sweep over contacts whose particles lie in disjoint ranges.
void pli_contacts_project(const pli_contact_job *job, pli_contact *contacts, int32_t count);

// Friction and restitution. `bounce` is the approach below which nothing rebounds [m/s].
void pli_contacts_update(const pli_contact_job *job, pli_particle *velocities, pli_contact *contacts, int32_t count,
                         float bounce);

#endif
