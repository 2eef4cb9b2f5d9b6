// Mass and inertia of solids: closed forms for spheres, capsules and boxes, and integrals over tetrahedra for
// polyhedra.
#include "mass.h"

static const double pi = 3.14159265358979323846;

vec symmetric_apply(const double m[6], vec v)
{
    return (vec){m[0] * v.x + m[3] * v.y + m[4] * v.z, m[3] * v.x + m[1] * v.y + m[5] * v.z,
                 m[4] * v.x + m[5] * v.y + m[2] * v.z};
}

static solid_mass mass_of_sphere(double radius)
{
    double mass = 4.0 / 3.0 * pi * radius * radius * radius, inertia = 0.4 * mass * radius * radius;
    return (solid_mass){mass, {0, 0, 0}, {inertia, inertia, inertia, 0, 0, 0}};
}

// A cylinder along y between two halves of a ball.
static solid_mass mass_of_capsule(double radius, double half)
{
    solid_mass ball = mass_of_sphere(radius);
    double cylinder = 2.0 * pi * radius * radius * half, square = radius * radius;
    double along = 0.5 * cylinder * square + ball.inertia[1];
    double across = cylinder * (0.25 * square + half * half / 3.0) +
                    ball.mass * (0.4 * square + half * half + 0.75 * half * radius);
    return (solid_mass){cylinder + ball.mass, {0, 0, 0}, {across, along, across, 0, 0, 0}};
}

static solid_mass mass_of_box(vec half)
{
    double mass = 8.0 * half.x * half.y * half.z;
    double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z, third = mass / 3.0;
    return (solid_mass){mass, {0, 0, 0}, {third * (y + z), third * (x + z), third * (x + y), 0, 0, 0}};
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

// Sums over the tetrahedra between a corner of the solid and its faces.
static solid_mass mass_of_hull(const polyhedron *hull)
{
    double volume = 0.0, moments[6] = {0};
    vec first = {0, 0, 0}, origin = hull->vertices[0];
    for (int32_t f = 0; f < hull->face_count; f++) {
        const polyhedron_face *face = &hull->faces[f];
        const int32_t *corners = hull->corners + face->first;
        vec a = vec_sub(hull->vertices[corners[0]], origin);
        for (int32_t k = 2; k < face->count; k++) {
            vec b = vec_sub(hull->vertices[corners[k - 1]], origin), c = vec_sub(hull->vertices[corners[k]], origin);
            vec sum = vec_add(a, vec_add(b, c));
            double product = vec_dot(a, vec_cross(b, c));
            volume += product / 6.0;
            first = vec_add(first, vec_scale(sum, product / 24.0));
            const vec corner[4] = {a, b, c, sum};
            for (int i = 0; i < 4; i++) {
                vec v = corner[i];
                const double squares[6] = {v.x * v.x, v.y * v.y, v.z * v.z, v.x * v.y, v.x * v.z, v.y * v.z};
                for (int m = 0; m < 6; m++)
                    moments[m] += squares[m] * product / 120.0;
            }
        }
    }
    solid_mass result = {.mass = volume};
    vec centre = volume > 0.0 ? vec_scale(first, 1.0 / volume) : first;
    inertia_of_moments(moments, result.inertia);
    add_point(result.inertia, -volume, centre);
    result.centre = vec_add(centre, origin);
    return result;
}

solid_mass mass_of_shape(const pli_collider_def *shape, const polyhedron *hull)
{
    switch (shape->shape) {
    case PLI_SHAPE_SPHERE:
        return mass_of_sphere((double)shape->radius);
    case PLI_SHAPE_CAPSULE:
        return mass_of_capsule((double)shape->radius, (double)shape->half_height);
    case PLI_SHAPE_BOX:
        return mass_of_box(vec_of(shape->half_extents));
    default:
        return mass_of_hull(hull);
    }
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
