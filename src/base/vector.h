// Vectors in double for measures and sums, and interpolation of poses; pliant/math.h has vectors in float.
#ifndef PLI_BASE_VECTOR_H
#define PLI_BASE_VECTOR_H

#include "pliant/math.h"

typedef struct pli_dvec3 {
    double x, y, z;
} pli_dvec3;

static inline pli_dvec3 pli_widened(pli_vec3 v) { return (pli_dvec3){(double)v.x, (double)v.y, (double)v.z}; }
static inline pli_dvec3 pli_dmake(const double *p) { return (pli_dvec3){p[0], p[1], p[2]}; }
static inline pli_dvec3 pli_dadd(pli_dvec3 a, pli_dvec3 b) { return (pli_dvec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline pli_dvec3 pli_dsub(pli_dvec3 a, pli_dvec3 b) { return (pli_dvec3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline pli_dvec3 pli_dscale(pli_dvec3 a, double s) { return (pli_dvec3){a.x * s, a.y * s, a.z * s}; }
static inline double pli_ddot(pli_dvec3 a, pli_dvec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pli_dvec3 pli_dcross(pli_dvec3 a, pli_dvec3 b)
{
    return (pli_dvec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline double pli_dlength(pli_dvec3 a) { return sqrt(pli_ddot(a, a)); }

static inline bool pli_finite3(pli_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

// Normalises the rotation. Returns false when a value is not finite or the length of the quaternion differs from 1 by
// more than 1e-3.
bool pli_transform_check(pli_transform *transform);
// Interpolates poses for t in 0..1: positions linearly, rotations by the shorter normalised blend.
pli_transform pli_transform_between(pli_transform from, pli_transform to, float t);

// Adds the inertia of a point mass at r about the origin to I = (xx yy zz xy xz yz), or, by Steiner's theorem, moves
// the centre of a body there.
static inline void pli_add_point_inertia(double inertia[6], double mass, pli_dvec3 r)
{
    const double point[6] = {
        r.y * r.y + r.z * r.z, r.x * r.x + r.z * r.z, r.x * r.x + r.y * r.y, -r.x * r.y, -r.x * r.z, -r.y * r.z};
    for (int k = 0; k < 6; k++)
        inertia[k] += mass * point[k];
}
// a . I a: the moment of inertia about an axis through the origin, of unit length.
static inline double pli_moment_about(const double i[6], pli_dvec3 a)
{
    return i[0] * a.x * a.x + i[1] * a.y * a.y + i[2] * a.z * a.z +
           2.0 * (i[3] * a.x * a.y + i[4] * a.x * a.z + i[5] * a.y * a.z);
}
// M v for a symmetric M = (xx yy zz xy xz yz).
static inline pli_dvec3 pli_symmetric_times(const double m[6], pli_dvec3 v)
{
    return (pli_dvec3){m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                       m[4] * v.x + m[5] * v.y + m[2] * v.z};
}
// Solves M x = v for a symmetric M = (xx yy zz xy xz yz); zero where M is singular.
pli_dvec3 pli_solve_symmetric(const double m[6], pli_dvec3 v);
// Solves in the same way with the pseudo-inverse: along eigenvectors whose eigenvalue is at most `least` times the
// largest one, x is zero.
pli_dvec3 pli_solve_pseudo_inverse(const double m[6], pli_dvec3 v, double least);

#endif
