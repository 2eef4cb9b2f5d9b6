// Vectors and quaternions in float, for the libraries beside the core.
#ifndef PLI_SUPPORT_VECTOR3_H
#define PLI_SUPPORT_VECTOR3_H

#include <pliant/base.h>

#include <math.h>

static inline pli_vec3 vec3_add(pli_vec3 a, pli_vec3 b) { return (pli_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline pli_vec3 vec3_sub(pli_vec3 a, pli_vec3 b) { return (pli_vec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline pli_vec3 vec3_scale(pli_vec3 a, float s) { return (pli_vec3){a.x * s, a.y * s, a.z * s}; }
static inline float vec3_dot(pli_vec3 a, pli_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pli_vec3 vec3_cross(pli_vec3 a, pli_vec3 b)
{
    return (pli_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// The Hamilton product: first b, then a.
static inline pli_quat quat_product(pli_quat a, pli_quat b)
{
    return (pli_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Rotates by a unit quaternion, as q v q*.
static inline pli_vec3 quat_rotate(pli_quat q, pli_vec3 v)
{
    pli_quat p = quat_product(quat_product(q, (pli_quat){v.x, v.y, v.z, 0}), (pli_quat){-q.x, -q.y, -q.z, q.w});
    return (pli_vec3){p.x, p.y, p.z};
}

#endif
