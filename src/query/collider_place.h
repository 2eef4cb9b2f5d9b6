// Where a collider and its vertices are during a step, to the bits that contact uses.
#ifndef PLI_QUERY_COLLIDER_PLACE_H
#define PLI_QUERY_COLLIDER_PLACE_H

#include "model/model.h"
#include "model/origin.h"

#include <string.h>

// Whether two poses have the same bits.
static inline bool pli_same_pose(const pli_transform *a, const pli_transform *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Are the poses of a collider too coarse for contact? They are floats in the host's coordinates.
bool pli_collider_is_far(const pli_world *world, const pli_collider_data *collider);
// The frame of a far one at a fraction of the step, from where it was stopped if it was.
pli_local_frame pli_collider_far_frame(const pli_world *world, const pli_collider_data *collider, float part);
// The pose at a fraction of the step, relative to the world's origin; a carried one moves with its rigid body.
pli_transform pli_collider_pose_at(const pli_world *world, const pli_collider_data *collider,
                                   const pli_rigid_pose *carrier, float part);
pli_transform pli_collider_pose_now(const pli_world *world, const pli_collider_data *collider);

// Where a collider is at a fraction of the step, in double where poses are too coarse.
typedef struct pli_placement {
    pli_transform pose;
    const pli_local_frame *far; // Or null.
    float part;
} pli_placement;

pli_particle pli_collider_vertex_at(const pli_collider_data *collider, int32_t v, const pli_placement *at);

#endif
