// Contacts of particles with smooth colliders: found once a substep, projected every sweep, and given friction and
// restitution in the velocity update, for PLI_BATCH particles that lie one after the other at a time.
//
//   Mueller et al. 2006, Position Based Dynamics, section 3.4.
#ifndef PLI_WIDE_SMOOTH_H
#define PLI_WIDE_SMOOTH_H

#include "base/vector.h"
#include "constraints/projection.h"
#include "pliant/world.h"

// Particles that are looked at together, in order.
enum { PLI_SMOOTH_BLOCK = 128 };

// A collider during one substep.
typedef struct pli_moving_shape {
    const pli_collider_def *def;
    pli_shape shape;        // PLI_SHAPE_MESH for whatever collides as a surface.
    float reach;            // About the origin of its frame; infinite for planes [m].
    pli_transform from, to; // Poses at the ends of the substep.
    bool rests;             // They are the same.
    float friction, restitution;
} pli_moving_shape;

// Contacts of the particles first to first + PLI_BATCH - 1 with one collider. A lane without a contact has an offset of
// minus infinity, so that nothing ever pushes it.
typedef struct pli_contact_group {
    int32_t first, collider;      // The collider's number among the moving shapes.
    uint32_t lanes;               // Bit i: particle first + i has a contact.
    float normal[3][PLI_BATCH];   // Of the collider, in the world.
    float offset[PLI_BATCH];      // normal . x >= offset
    float velocity[3][PLI_BATCH]; // Of the surface [m/s].
    float approach[PLI_BATCH];    // Normal speed before the projection, relative to the surface [m/s].
    float push[PLI_BATCH];        // Sum of the projections along the normal [m].
    float impulse[PLI_BATCH];     // Along the normal, restitution too [N s].
} pli_contact_group;

// Particles of one deformable and what they may touch.
typedef struct pli_contact_job {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
    int32_t count;
    const pli_moving_shape *shapes;
    const struct pli_box_tree *around; // Over the shapes (pli_shapes_lay).
    const struct pli_near_kernels *near;
    float thickness, step; // [m], [s]
    float bounce;          // Approach below which nothing rebounds [m/s].
    uint32_t layers, mask;
} pli_contact_job;

// The box about the ends of the ways of some particles, and the longest way along each axis. Of w: inverse masses.
typedef struct pli_smooth_bounds {
    pli_particle low, high, way;
} pli_smooth_bounds;

// The particles of a block by coordinate. Behind the last one are held ones, up to a multiple of PLI_BATCH.
typedef struct pli_smooth_block {
    int32_t first, count;
    float before[3][PLI_SMOOTH_BLOCK], after[3][PLI_SMOOTH_BLOCK], w[PLI_SMOOTH_BLOCK];
} pli_smooth_block;

// Of the particles begin..end-1, at least one and at most PLI_SMOOTH_BLOCK.
typedef void (*pli_smooth_bound)(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_bounds *bounds);
typedef void (*pli_smooth_gather)(const pli_contact_job *job, int32_t begin, int32_t end, pli_smooth_block *block);

// Groups with a contact of the block with a collider. Writes at most `capacity`, and returns how many there are.
typedef int32_t (*pli_smooth_find)(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,
                                   pli_contact_group *groups, int32_t capacity);

typedef void (*pli_smooth_pass)(const pli_contact_job *job, pli_contact_group *groups, int32_t count);

typedef struct pli_smooth_kernels {
    pli_smooth_bound bound;
    pli_smooth_gather gather;
    pli_smooth_find find[PLI_SHAPE_HULL]; // By shape.
    pli_smooth_pass project;              // One sweep.
    pli_smooth_pass update;               // Friction and restitution.
} pli_smooth_kernels;

extern const pli_smooth_kernels PLI_NAMED(pli_smooth);

#endif
