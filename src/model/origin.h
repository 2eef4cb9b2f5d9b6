// The conversion between the application's and the core's coordinates (docs/decisions/precision.md). Positions in the core are relative
// to the world's origin, which is kept in double. Positions that the application sets or reads are converted here, and only here.
//
//      application                    core
//     position [m] --- local() --->  position - origin     float near 0, where floats are dense
//                 <--- world() ---   position + origin     rounded to float as it is handed out
//
// Sums are in double and rounded once. With the origin at 0 each conversion returns its input floats unchanged.
#ifndef PLI_MODEL_ORIGIN_H
#define PLI_MODEL_ORIGIN_H

#include "model/model.h"

static inline pli_vec3 pli_rounded(pli_dvec3 v) { return (pli_vec3){(float)v.x, (float)v.y, (float)v.z}; }

// Whether the origin differs from 0.
static inline bool pli_world_is_offset(const pli_world *world)
{
    return world->origin.x != 0.0 || world->origin.y != 0.0 || world->origin.z != 0.0;
}

static inline pli_vec3 pli_local_point(const pli_world *world, pli_vec3 point)
{
    return pli_rounded(pli_dsub(pli_widened(point), world->origin));
}
static inline pli_vec3 pli_world_point(const pli_world *world, pli_vec3 local)
{
    return pli_rounded(pli_dadd(pli_widened(local), world->origin));
}
static inline pli_transform pli_local_pose(const pli_world *world, pli_transform pose)
{
    return (pli_transform){pli_local_point(world, pose.position), pose.rotation};
}
static inline pli_transform pli_world_pose(const pli_world *world, pli_transform local)
{
    return (pli_transform){pli_world_point(world, local.position), local.rotation};
}

// The frame at the fraction t (0..1) between two poses in the application's coordinates.
pli_local_frame pli_local_frame_between(const pli_world *world, pli_transform from, pli_transform to, float t);
// The frame at the fraction t (0..1) between two frames; exactly the first at 0, and exactly the second at 1.
pli_local_frame pli_local_frame_mix(const pli_local_frame *from, const pli_local_frame *to, double t);
// The frame rounded to floats, relative to the world's origin.
pli_transform pli_local_frame_rounded(const pli_local_frame *frame);
// The local position of a point of the frame, rounded once.
pli_vec3 pli_local_frame_point(const pli_local_frame *frame, pli_dvec3 point);
// A local position or direction in the axes of the frame, without its position.
pli_dvec3 pli_local_frame_unturn(const pli_local_frame *frame, pli_dvec3 direction);

#endif
