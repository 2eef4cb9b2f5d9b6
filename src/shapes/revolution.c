// Shapes of revolution: profiles, their triangles, and mass properties by integration over discs.
#include "shapes/revolution.h"

#include "mesh/primitives/mesh_list.h"

const char *pli_radius_complaint(float radius)
{
    return pli_is_length(radius) ? NULL : "its radius must be positive [m]";
}

const char *pli_half_height_complaint(float half_height)
{
    return half_height >= 0.0f && isfinite(half_height) ? NULL : "its half_height must not be negative [m]";
}

/* ---- triangles ------------------------------------------------------------------------------ */

void pli_profile_point(pli_profile *profile, double radius, double height)
{
    const double *last = profile->count > 0 ? profile->points[profile->count - 1] : NULL;
    if ((last && last[0] == radius && last[1] == height) || profile->count >= PLI_PROFILE_MAX)
        return;
    profile->points[profile->count][0] = radius;
    profile->points[profile->count++][1] = height;
}

void pli_profile_arc(pli_profile *profile, int32_t resolution, double height, double radius, double from, double to)
{
    double begin = asin(from), end = asin(to);
    int32_t steps = (int32_t)ceil((begin - end) / (2.0 * PLI_PI) * resolution - 1e-9);
    steps = steps > 1 ? steps : 1;
    for (int32_t i = 0; i <= steps; i++) {
        double angle = begin + (end - begin) * i / steps, sine = i == 0 ? from : i == steps ? to : sin(angle);
        double cosine = fabs(sine) < 1.0 ? sqrt(1.0 - sine * sine) : 0.0;
        pli_profile_point(profile, radius * cosine, height + radius * sine);
    }
}

// Vertices: the upper pole, the rings downwards, the lower pole.
static int32_t ring_vertex(int32_t ring, int32_t around, int32_t k) { return 1 + (ring - 1) * around + k % around; }

pli_status pli_revolve(const pli_profile *profile, int32_t around, const pli_hooks *hooks, pli_mesh **mesh,
                       pli_error *error)
{
    int32_t last = profile->count - 1, foot = 1 + (last - 1) * around;
    pli_mesh_list list = pli_mesh_list_start(hooks);
    pli_mesh_list_vertex(&list, 0.0, profile->points[0][1], 0.0);
    for (int32_t ring = 1; ring < last; ring++)
        for (int32_t k = 0; k < around; k++) {
            double turn = 2.0 * PLI_PI * k / around, radius = profile->points[ring][0];
            pli_mesh_list_vertex(&list, radius * cos(turn), profile->points[ring][1], -radius * sin(turn));
        }
    pli_mesh_list_vertex(&list, 0.0, profile->points[last][1], 0.0);
    for (int32_t k = 0; k < around; k++)
        pli_mesh_list_triangle(&list, 0, ring_vertex(1, around, k), ring_vertex(1, around, k + 1));
    for (int32_t ring = 1; ring + 1 < last; ring++)
        for (int32_t k = 0; k < around; k++) {
            int32_t a = ring_vertex(ring, around, k), b = ring_vertex(ring + 1, around, k);
            int32_t c = ring_vertex(ring + 1, around, k + 1), d = ring_vertex(ring, around, k + 1);
            pli_mesh_list_triangle(&list, a, b, d);
            pli_mesh_list_triangle(&list, d, b, c);
        }
    for (int32_t k = 0; k < around; k++)
        pli_mesh_list_triangle(&list, ring_vertex(last - 1, around, k), foot, ring_vertex(last - 1, around, k + 1));
    return pli_mesh_list_finish(&list, mesh, error);
}

/* ---- mass ----------------------------------------------------------------------------------- */

pli_revolved pli_revolved_sphere(double centre, double radius, double low, double high)
{
    return (pli_revolved){low, high, {radius * radius - centre * centre, 2.0 * centre, -1.0}};
}

pli_revolved pli_revolved_cone(double low, double high, double bottom, double top)
{
    double gradient = (top - bottom) / (high - low), start = bottom - gradient * low;
    return (pli_revolved){low, high, {start * start, 2.0 * start * gradient, gradient * gradient}};
}

// Sums over thin discs: volume, first and second moment of height, and the integral of radius^2 over the volume.
typedef struct disc_moments {
    double volume, first, second, square;
} disc_moments;

// A disc has the moment of inertia m r^2 / 2 about its axis and half of it about a diameter.
pli_mass_properties pli_revolved_mass(const pli_revolved *parts, int32_t count)
{
    disc_moments sum = {0};
    for (int32_t i = 0; i < count; i++) {
        // Gauss-Legendre quadrature with three points is exact for polynomials up to y^5; the integrands are of degree 4.
        static const double places[3] = {-0.77459666924148337704, 0.0, 0.77459666924148337704};
        static const double weights[3] = {5.0 / 9.0, 8.0 / 9.0, 5.0 / 9.0};
        double middle = 0.5 * (parts[i].low + parts[i].high), half = 0.5 * (parts[i].high - parts[i].low);
        for (int k = 0; k < 3; k++) {
            double y = middle + half * places[k];
            double square = parts[i].c[0] + y * (parts[i].c[1] + y * parts[i].c[2]),
                   disc = PLI_PI * square * weights[k] * half;
            sum.volume += disc;
            sum.first += disc * y;
            sum.second += disc * y * y;
            sum.square += disc * square;
        }
    }
    double centre = sum.first / sum.volume;
    double across = 0.25 * sum.square + sum.second - sum.volume * centre * centre;
    return (pli_mass_properties){sum.volume, {0, centre, 0}, {across, 0.5 * sum.square, across, 0, 0, 0}};
}

pli_mass_properties pli_sphere_mass(double radius)
{
    double mass = 4.0 / 3.0 * PLI_PI * radius * radius * radius, inertia = 0.4 * mass * radius * radius;
    return (pli_mass_properties){mass, {0, 0, 0}, {inertia, inertia, inertia, 0, 0, 0}};
}
