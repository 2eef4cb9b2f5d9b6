// Contacts of particles with shapes that have a signed distance: the input of the kernel of a shape and the contacts
// that it returns.
#ifndef PLI_SHAPES_CONTACT_GROUP_H
#define PLI_SHAPES_CONTACT_GROUP_H

#include "base/vector.h"
#include "constraints/projection.h"
#include "pliant/world.h"

// Number of particles that one kernel call tests, in order.
enum { PLI_SMOOTH_BLOCK = 128 };

typedef struct pli_contact_job pli_contact_job;
typedef struct pli_contact_group pli_contact_group;
typedef struct pli_smooth_block pli_smooth_block;

// Finds the contacts of a block of particles with one collider. Writes at most `capacity` groups and returns the number
// of groups.
typedef int32_t (*pli_contact_find)(const pli_contact_job *job, const pli_smooth_block *block, int32_t collider,
                                    pli_contact_group *groups, int32_t capacity);

// A collider during one substep.
typedef struct pli_moving_shape {
    const pli_collider_def *def;
    pli_contact_find find;  // Kernel of the shape; null for colliders with a triangle surface.
    float reach;            // Radius about the origin of its frame; infinite for planes [m].
    pli_transform from, to; // Poses at the start and the end of the substep.
    bool rests;             // The two poses are equal.
    bool stopped;           // It has stopped in this substep, and stays at `from`.
    float
        width; // Least width of the shape [m]; particles use its distance unless it is narrow compared to their triangles.
} pli_moving_shape;

// Whether a shape fits between the corners of triangles with sides of this length, so that contact must treat it as a
// surface.
static inline bool pli_is_narrow(float width, float longest_edge) { return width < longest_edge; }

// Contacts of the particles first to first + PLI_BATCH - 1 with one collider. A lane without a contact has an offset of
// minus infinity, so its constraint is never active.
typedef struct pli_contact_group {
    int32_t first, collider;      // The collider's index among the moving shapes.
    uint32_t lanes;               // Bit i: particle first + i has a contact.
    uint32_t inside;              // Bit i: that particle starts inside the shape.
    bool slides;                  // Friction is off while a part of the deformable is inside the shape.
    float normal[3][PLI_BATCH];   // Outward unit normal of the collider, in the world.
    float offset[PLI_BATCH];      // The contact constraint is normal . x >= offset [m].
    float velocity[3][PLI_BATCH]; // Velocity of the surface at the contact [m/s].
    float overlap[PLI_BATCH];     // Penetration of the contact distance at the start of the substep [m].
    float left[PLI_BATCH];        // Part of the overlap that remains at the end; `offset` excludes it [m].
    float approach[PLI_BATCH];    // Normal speed before the projection, relative to the surface [m/s].
    float push[PLI_BATCH];        // Sum of the corrections along the normal [m].
    float impulse[PLI_BATCH];     // Impulse along the normal, restitution included [N s].
} pli_contact_group;

// The particles of one deformable and the shapes they may collide with.
typedef struct pli_contact_job {
    pli_particle *particles, *velocities;
    const pli_particle *previous;
    int32_t count;
    const pli_moving_shape *shapes;
    const struct pli_bvh16 *around; // Tree over the shapes (pli_shapes_place).
    const struct pli_near_kernels *near;
    float thickness, step;    // Contact distance [m] and length of the substep [s].
    const float *thicknesses; // [count + PLI_BATCH] contact distances by particle, replacing `thickness` [m]; or null.
    float bounce;             // Normal speed below which restitution is 0 [m/s].
    // In a substep an overlap recovers by at most `recovery` times the contact distance, or times `least` if that is larger.
    float recovery, least; // A ratio, and a distance [m].
    float longest_edge;    // Longest side of a triangle at rest [m]; 0 without triangles.
    uint32_t layers, mask;
} pli_contact_job;

// The particles of a block as arrays of coordinates. Fixed particles fill the last batch.
typedef struct pli_smooth_block {
    int32_t first, count;
    float before[3][PLI_SMOOTH_BLOCK], after[3][PLI_SMOOTH_BLOCK], w[PLI_SMOOTH_BLOCK];
} pli_smooth_block;

// Loads and stores the lanes from k on of three contiguous arrays of `stride` floats.
static inline wide3 pli_lanes_load(const float *from, int32_t stride, int32_t k)
{
    return (wide3){wide_load(from + k), wide_load(from + stride + k), wide_load(from + 2 * stride + k)};
}

static inline void pli_lanes_store(float *to, int32_t stride, int32_t k, wide3 v)
{
    wide_store(to + k, v.x);
    wide_store(to + stride + k, v.y);
    wide_store(to + 2 * stride + k, v.z);
}

#endif
