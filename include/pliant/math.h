/// Pliant, math: small functions for vectors, quaternions and poses, for C and C++. Header only.
///
///     pli_vec3 forward = pli_rotate(pose.rotation, (pli_vec3){0, 0, 1});
///     pli_vec3 hand = pli_transform_point(pose, (pli_vec3){0.3f, 1.2f, 0});
///     pli_transform turned = pli_transform_multiply(parent, child);     // the pose of the child in the world
///     pose.rotation = pli_quat_from_axis(pli_normalize(axis), angle);
///
/// Rotations are unit quaternions. Results are the same on every machine, except those of pli_quat_from_axis, which calls sinf and
/// cosf.
#ifndef PLIANT_MATH_H
#define PLIANT_MATH_H

#include "base.h"

#include <math.h>

static inline pli_vec3 pli_vec3_of(float x, float y, float z)
{
    const pli_vec3 v = {x, y, z};
    return v;
}
static inline pli_vec3 pli_add(pli_vec3 a, pli_vec3 b) { return pli_vec3_of(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline pli_vec3 pli_sub(pli_vec3 a, pli_vec3 b) { return pli_vec3_of(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline pli_vec3 pli_scale(pli_vec3 a, float s) { return pli_vec3_of(a.x * s, a.y * s, a.z * s); }
static inline float pli_dot(pli_vec3 a, pli_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pli_vec3 pli_cross(pli_vec3 a, pli_vec3 b)
{
    return pli_vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline float pli_length(pli_vec3 a) { return sqrtf(pli_dot(a, a)); }
static inline float pli_distance(pli_vec3 a, pli_vec3 b) { return pli_length(pli_sub(a, b)); }
/// The unit vector along `a`; zero for a zero vector.
static inline pli_vec3 pli_normalize(pli_vec3 a)
{
    const float length = pli_length(a);
    return length > 0.0f ? pli_scale(a, 1.0f / length) : pli_vec3_of(0.0f, 0.0f, 0.0f);
}

static inline pli_quat pli_quat_of(float x, float y, float z, float w)
{
    const pli_quat q = {x, y, z, w};
    return q;
}
/// The rotation by `angle` [rad] about a unit axis, counter-clockwise as seen from its tip.
static inline pli_quat pli_quat_from_axis(pli_vec3 axis, float angle)
{
    const float s = sinf(0.5f * angle);
    return pli_quat_of(s * axis.x, s * axis.y, s * axis.z, cosf(0.5f * angle));
}
/// The opposite rotation.
static inline pli_quat pli_conjugate(pli_quat q) { return pli_quat_of(-q.x, -q.y, -q.z, q.w); }
/// The rotation by b, followed by the rotation by a.
static inline pli_quat pli_quat_multiply(pli_quat a, pli_quat b)
{
    return pli_quat_of(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                       a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}
/// The quaternion with length 1; its length must not be 0.
static inline pli_quat pli_quat_normalize(pli_quat q)
{
    const float inverse = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return pli_quat_of(q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse);
}
/// Rotates a vector by a unit quaternion.
static inline pli_vec3 pli_rotate(pli_quat q, pli_vec3 v)
{
    const pli_vec3 u = pli_vec3_of(q.x, q.y, q.z), t = pli_scale(pli_cross(u, v), 2.0f);
    return pli_add(v, pli_add(pli_scale(t, q.w), pli_cross(u, t)));
}

static inline pli_transform pli_transform_of(pli_vec3 position, pli_quat rotation)
{
    const pli_transform t = {position, rotation};
    return t;
}
/// Transforms a point of the frame `t` to the frame that contains it.
static inline pli_vec3 pli_transform_point(pli_transform t, pli_vec3 p)
{
    return pli_add(pli_rotate(t.rotation, p), t.position);
}
/// Transforms a point into the frame `t`.
static inline pli_vec3 pli_transform_inverse_point(pli_transform t, pli_vec3 p)
{
    return pli_rotate(pli_conjugate(t.rotation), pli_sub(p, t.position));
}
/// The pose of `inner`, which is given in the frame `outer`, in the frame that contains `outer`. The rotation is normalised.
static inline pli_transform pli_transform_multiply(pli_transform outer, pli_transform inner)
{
    return pli_transform_of(pli_transform_point(outer, inner.position),
                            pli_quat_normalize(pli_quat_multiply(outer.rotation, inner.rotation)));
}
/// The pose that undoes `t`.
static inline pli_transform pli_transform_inverse(pli_transform t)
{
    const pli_quat back = pli_conjugate(t.rotation);
    return pli_transform_of(pli_rotate(back, pli_scale(t.position, -1.0f)), back);
}

#endif
