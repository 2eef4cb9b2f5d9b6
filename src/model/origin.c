// Frames of the application's coordinates, relative to the origin of the world: model/origin.h.
#include "model/origin.h"

pli_local_frame pli_local_frame_between(const pli_world *world, pli_transform from, pli_transform to, float t)
{
    pli_quat q = pli_transform_between(from, to, t).rotation;
    pli_local_frame frame = {.turn = {(double)q.x, (double)q.y, (double)q.z, (double)q.w}};
    double square = 0.0;
    for (int k = 0; k < 4; k++)
        square += frame.turn[k] * frame.turn[k];
    // The length of a quaternion in float has an error of 1e-7, which is visible at points far out in the frame.
    for (int k = 0; k < 4; k++)
        frame.turn[k] /= sqrt(square);
    pli_dvec3 start = pli_dsub(pli_widened(from.position), world->origin),
              end = pli_dsub(pli_widened(to.position), world->origin);
    frame.position = pli_dadd(start, pli_dscale(pli_dsub(end, start), (double)t));
    return frame;
}

pli_local_frame pli_local_frame_mix(const pli_local_frame *from, const pli_local_frame *to, double t)
{
    if (!(t > 0.0) || !(t < 1.0))
        return t > 0.0 ? *to : *from;
    pli_local_frame frame = {
        .position = pli_dadd(from->position, pli_dscale(pli_dsub(to->position, from->position), t))};
    double cosine = 0.0, square = 0.0;
    for (int k = 0; k < 4; k++)
        cosine += from->turn[k] * to->turn[k];
    for (int k = 0; k < 4; k++) {
        frame.turn[k] = from->turn[k] + t * ((cosine < 0.0 ? -1.0 : 1.0) * to->turn[k] - from->turn[k]);
        square += frame.turn[k] * frame.turn[k];
    }
    for (int k = 0; k < 4; k++)
        frame.turn[k] /= sqrt(square);
    return frame;
}

pli_transform pli_local_frame_rounded(const pli_local_frame *frame)
{
    const double *q = frame->turn;
    return (pli_transform){pli_rounded(frame->position), {(float)q[0], (float)q[1], (float)q[2], (float)q[3]}};
}

pli_vec3 pli_local_frame_point(const pli_local_frame *frame, pli_dvec3 point)
{
    return pli_rounded(pli_dadd(frame->position, pli_rigid_rotate(frame->turn, point)));
}

pli_dvec3 pli_local_frame_unturn(const pli_local_frame *frame, pli_dvec3 direction)
{
    const double back[4] = {-frame->turn[0], -frame->turn[1], -frame->turn[2], frame->turn[3]};
    return pli_rigid_rotate(back, direction);
}
