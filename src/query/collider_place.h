// Poses of colliders and positions of their vertices during a step, bit-identical to the values that contact uses.
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

// Whether the poses of a collider are too coarse for contact. They are floats in the coordinates of the application.
bool pli_collider_is_far(const pli_world *world, const pli_collider_data *collider);
// Returns the frame of a far collider at a fraction of the step, starting from where it was stopped, if it was.
pli_local_frame pli_collider_far_frame(const pli_world *world, const pli_collider_data *collider, float part);
// Returns the pose at a fraction of the step, relative to the origin of the world. A collider on a rigid body moves with the body.
pli_transform pli_collider_pose_at(const pli_world *world, const pli_collider_data *collider,
                                   const pli_rigid_pose *carrier, float part);
pli_transform pli_collider_pose_now(const pli_world *world, const pli_collider_data *collider);

// The placement of a collider at a fraction of the step, in double where float poses are too coarse.
typedef struct pli_placement {
    pli_transform pose;
    const pli_local_frame *far; // Null where float poses suffice.
    float part;
} pli_placement;

pli_particle pli_collider_vertex_at(const pli_collider_data *collider, int32_t v, const pli_placement *at);

#endif
