// Contacts of particles with shapes that have a signed distance: what is found, and for which particles.
#ifndef PLI_SHAPES_CONTACT_GROUP_H
#define PLI_SHAPES_CONTACT_GROUP_H

#include "base/vector.h"
#include "constraints/projection.h"
#include "pliant/world.h"

// Particles that are looked at together, in order.
enum { PLI_SMOOTH_BLOCK = 128 };

typedef struct pli_contact_job pli_contact_job;
typedef struct pli_contact_group pli_contact_group;
typedef struct pli_smooth_block pli_smooth_block;

// Groups with a contact of the block with a collider. Writes at most `capacity`, and returns how many there are.
typedef int32_t (*pli_contact_find)(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,
                                    pli_contact_group *groups, int32_t capacity);

// A collider during one substep.
typedef struct pli_moving_shape {
    const pli_collider_def *def;
    pli_contact_find find;  // Null for whatever collides as a surface.
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
    const struct pli_bvh16 *around; // Over the shapes (pli_shapes_place).
    const struct pli_near_kernels *near;
    float thickness, step; // [m], [s]
    float bounce;          // Approach below which nothing rebounds [m/s].
    uint32_t layers, mask;
} pli_contact_job;

// The particles of a block by coordinate. Behind the last one are held ones, up to a multiple of PLI_BATCH.
typedef struct pli_smooth_block {
    int32_t first, count;
    float before[3][PLI_SMOOTH_BLOCK], after[3][PLI_SMOOTH_BLOCK], w[PLI_SMOOTH_BLOCK];
} pli_smooth_block;

// From three arrays of `room` floats that lie one after the other.
static inline wide3 pli_lanes_take(const float *from, int32_t room, int32_t k)
{
    return (wide3){wide_load(from + k), wide_load(from + room + k), wide_load(from + 2 * room + k)};
}

static inline void pli_lanes_put(float *to, int32_t room, int32_t k, wide3 v)
{
    wide_store(to + k, v.x);
    wide_store(to + room + k, v.y);
    wide_store(to + 2 * room + k, v.z);
}

#endif
