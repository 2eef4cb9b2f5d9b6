// Poses: normalised quaternion products and blends, and the inverse of a symmetric 3x3 matrix.
#include "base/vector.h"

pli_transform pli_transform_identity(void) { return (pli_transform){.rotation = {0, 0, 0, 1}}; }

static pli_quat normalised(pli_quat q)
{
    float inverse = 1.0f / sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return (pli_quat){q.x * inverse, q.y * inverse, q.z * inverse, q.w * inverse};
}

bool pli_transform_check(pli_transform *transform)
{
    pli_quat q = transform->rotation;
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!pli_finite3(transform->position) || !(fabsf(square - 1.0f) <= 2e-3f))
        return false;
    transform->rotation = normalised(q);
    return true;
}

// Quaternions are blended linearly and normalised: within 1 % of uniform rotation up to 90 degrees a step, and without
// a transcendental function, so that all platforms give the same bits.
pli_transform pli_transform_between(pli_transform from, pli_transform to, float t)
{
    pli_quat a = from.rotation, b = to.rotation;
    float side = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -t : t;
    float rest = 1.0f - t;
    pli_quat q = {a.x * rest + b.x * side, a.y * rest + b.y * side, a.z * rest + b.z * side, a.w * rest + b.w * side};
    return (pli_transform){
        .position = pli_add(pli_scale(from.position, rest), pli_scale(to.position, t)),
        .rotation = normalised(q),
    };
}

static pli_quat times(pli_quat a, pli_quat b)
{
    return (pli_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y + a.y * b.w + a.z * b.x - a.x * b.z,
                      a.w * b.z + a.z * b.w + a.x * b.y - a.y * b.x, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

pli_transform pli_transform_times(pli_transform outer, pli_transform inner)
{
    return (pli_transform){pli_transform_point(outer, inner.position),
                           normalised(times(outer.rotation, inner.rotation))};
}

pli_dvec3 pli_solve_symmetric(const double m[6], pli_dvec3 v)
{
    double xx = m[0], yy = m[1], zz = m[2], xy = m[3], xz = m[4], yz = m[5];
    pli_dvec3 first = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy};
    pli_dvec3 second = {first.y, xx * zz - xz * xz, xy * xz - xx * yz};
    pli_dvec3 third = {first.z, second.z, xx * yy - xy * xy};
    double determinant = xx * first.x + xy * first.y + xz * first.z;
    double scale = xx + yy + zz;
    if (!(determinant > 1e-12 * scale * scale * scale))
        return (pli_dvec3){0};
    pli_dvec3 x = {pli_ddot(first, v), pli_ddot(second, v), pli_ddot(third, v)};
    return pli_dscale(x, 1.0 / determinant);
}
