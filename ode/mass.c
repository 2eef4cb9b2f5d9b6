// Mass and inertia of solids: closed forms for spheres, capsules and boxes, and integrals over tetrahedra for
// polyhedra.
#include "mass.h"

vec symmetric_apply(const double m[6], vec v)
{
    return (vec){m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                 m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

// Inertia about the origin from the second moments xx yy zz xy xz yz: trace(moments) - moments.
static void inertia_of_moments(const double moments[6], double inertia[6])
{
    inertia[0] = moments[1] + moments[2];
    inertia[1] = moments[0] + moments[2];
    inertia[2] = moments[0] + moments[1];
    for (int k = 3; k < 6; k++)
        inertia[k] = -moments[k];
}

// Inertia of a point mass at `arm`.
static void add_point(double inertia[6], double mass, vec arm)
{
    const double moments[6] = {mass * arm.x * arm.x, mass * arm.y * arm.y, mass * arm.z * arm.z,
                               mass * arm.x * arm.y, mass * arm.x * arm.z, mass * arm.y * arm.z};
    double point[6];
    inertia_of_moments(moments, point);
    for (int k = 0; k < 6; k++)
        inertia[k] += point[k];
}

solid_mass mass_of(const pli_mass_properties *m)
{
    solid_mass mass = {m->mass, {m->centre[0], m->centre[1], m->centre[2]}, {0}};
    for (int k = 0; k < 6; k++)
        mass.inertia[k] = m->inertia[k];
    return mass;
}

solid_mass mass_placed(solid_mass mass, placement where)
{
    const vec axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vec columns[3];
    turn back = turn_conjugate(where.rotation);
    for (int k = 0; k < 3; k++)
        columns[k] = turn_apply(where.rotation, symmetric_apply(mass.inertia, turn_apply(back, axes[k])));
    return (solid_mass){mass.mass,
                        placement_apply(where, mass.centre),
                        {columns[0].x, columns[1].y, columns[2].z, columns[1].x, columns[2].x, columns[2].y}};
}

solid_mass mass_sum(solid_mass a, solid_mass b)
{
    solid_mass sum = {.mass = a.mass + b.mass};
    if (!(sum.mass > 0.0))
        return sum;
    sum.centre = vec_scale(vec_add(vec_scale(a.centre, a.mass), vec_scale(b.centre, b.mass)), 1.0 / sum.mass);
    for (int k = 0; k < 6; k++)
        sum.inertia[k] = a.inertia[k] + b.inertia[k];
    add_point(sum.inertia, a.mass, vec_sub(a.centre, sum.centre));
    add_point(sum.inertia, b.mass, vec_sub(b.centre, sum.centre));
    return sum;
}

solid_mass mass_scaled(solid_mass mass, double factor)
{
    mass.mass *= factor;
    for (int k = 0; k < 6; k++)
        mass.inertia[k] *= factor;
    return mass;
}

bool mass_invert(const double m[6], double inverse[6])
{
    double xx = m[1] * m[2] - m[5] * m[5], xy = m[4] * m[5] - m[3] * m[2], xz = m[3] * m[5] - m[4] * m[1];
    double determinant = m[0] * xx + m[3] * xy + m[4] * xz;
    double scale = (m[0] + m[1] + m[2]) / 3.0;
    if (!(determinant > 1e-12 * scale * scale * scale) || !isfinite(1.0 / determinant))
        return false;
    double s = 1.0 / determinant;
    inverse[0] = xx * s;
    inverse[1] = (m[0] * m[2] - m[4] * m[4]) * s;
    inverse[2] = (m[0] * m[1] - m[3] * m[3]) * s;
    inverse[3] = xy * s;
    inverse[4] = xz * s;
    inverse[5] = (m[3] * m[4] - m[0] * m[5]) * s;
    return true;
}
