// Interpolation of poses, and the inverse of a symmetric 3x3 matrix.
#include "base/vector.h"

pli_transform pli_transform_identity(void) { return (pli_transform){.rotation = {0, 0, 0, 1}}; }

bool pli_transform_check(pli_transform *transform)
{
    pli_quat q = transform->rotation;
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!pli_finite3(transform->position) || !(fabsf(square - 1.0f) <= 2e-3f))
        return false;
    transform->rotation = pli_quat_normalize(q);
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
        .rotation = pli_quat_normalize(q),
    };
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

// One rotation of Jacobi's method for eigenvalues: makes a[p][q] zero; the columns of e become the eigenvectors.
static void rotate_to_zero(double a[3][3], double e[3][3], int p, int q)
{
    if (a[p][q] == 0.0)
        return;
    double theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
    double t = (theta < 0.0 ? -1.0 : 1.0) / (fabs(theta) + sqrt(theta * theta + 1.0));
    double c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    for (int k = 0; k < 3; k++) {
        double kp = a[k][p], kq = a[k][q];
        a[k][p] = c * kp - s * kq, a[k][q] = s * kp + c * kq;
    }
    for (int k = 0; k < 3; k++) {
        double pk = a[p][k], qk = a[q][k];
        a[p][k] = c * pk - s * qk, a[q][k] = s * pk + c * qk;
    }
    for (int k = 0; k < 3; k++) {
        double kp = e[k][p], kq = e[k][q];
        e[k][p] = c * kp - s * kq, e[k][q] = s * kp + c * kq;
    }
}

pli_dvec3 pli_solve_pseudo_inverse(const double m[6], pli_dvec3 v, double least)
{
    // Jacobi's method converges quadratically: after six sweeps the off-diagonal elements vanish in double.
    enum { SWEEPS = 6 };
    double a[3][3] = {{m[0], m[3], m[4]}, {m[3], m[1], m[5]}, {m[4], m[5], m[2]}};
    double e[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        rotate_to_zero(a, e, 0, 1);
        rotate_to_zero(a, e, 0, 2);
        rotate_to_zero(a, e, 1, 2);
    }
    double greatest = fmax(a[0][0], fmax(a[1][1], a[2][2]));
    pli_dvec3 x = {0.0, 0.0, 0.0};
    for (int k = 0; k < 3; k++) {
        pli_dvec3 axis = {e[0][k], e[1][k], e[2][k]};
        if (a[k][k] > least * greatest && a[k][k] > 0.0)
            x = pli_dadd(x, pli_dscale(axis, pli_ddot(axis, v) / a[k][k]));
    }
    return x;
}
