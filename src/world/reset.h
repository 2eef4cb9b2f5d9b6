// Start positions of deformables, for their creation and reset (pliant/placing.h).
#ifndef PLI_WORLD_RESET_H
#define PLI_WORLD_RESET_H

#include "model/model.h"

// Point i of a packed array.
static inline pli_vec3 pli_point_at(const float *positions, int32_t i)
{
    return (pli_vec3){positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]};
}

// Start position of a point of the rest shape for a pose in the application's coordinates, relative to the world's origin.
pli_vec3 pli_start_in_pose(const pli_world *world, pli_transform pose, pli_vec3 point);

#endif
