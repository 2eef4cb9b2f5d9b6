// A tapered capsule: the convex hull of two spheres on local y, for limbs, fingers, horns.
//
//      y ^
//        |  __            sphere of top_radius about (0, half_height)
//        |_/  \.
//        |     \ .  normal (a, b)
//        |      \.
//        |       |
//        |_.___./         sphere of radius about (0, -half_height)
//
// The cone tangent to both spheres has the normal (a, b) in the half-plane of a point and the axis, with
// b = (radius - top_radius) / (2 half_height) and a^2 + b^2 = 1. A point is nearest to the sphere about the point of the
// axis from which that normal leads to it, clamped to the segment; the radius of that sphere is linear along it.
#include "shapes/contact_kernel.h"
#include "shapes/revolution.h"

// Sine of the elevation of the cone's normal, b above.
static double tapered_capsule_taper(const pli_collider_def *def)
{
    return ((double)def->radius - (double)def->top_radius) / (2.0 * (double)def->half_height);
}

static const char *tapered_capsule_complaint(const pli_collider_def *def)
{
    const char *of_bottom = pli_radius_complaint(def->radius);
    if (of_bottom)
        return of_bottom;
    if (!(def->top_radius > 0.0f) || !isfinite(def->top_radius))
        return "its top_radius must be positive [m]";
    if (!(def->half_height > 0.0f) || !isfinite(def->half_height))
        return "its half_height must be positive [m]";
    return fabs(tapered_capsule_taper(def)) < 0.999
               ? NULL
               : "one end holds the other: make half_height more than half of the difference of "
                 "radius and top_radius, or take a sphere";
}

static float tapered_capsule_reach(const pli_collider_def *def)
{
    return def->half_height + fmaxf(def->radius, def->top_radius);
}

static pli_vec3 tapered_capsule_support(const pli_collider_def *def, pli_vec3 direction)
{
    float length = pli_length(direction), sine = direction.y / length;
    bool top = def->top_radius - def->radius + 2.0f * def->half_height * sine > 0.0f;
    pli_vec3 point = pli_scale(direction, (top ? def->top_radius : def->radius) / length);
    point.y += top ? def->half_height : -def->half_height;
    return point;
}

static pli_mass_properties tapered_capsule_mass(const pli_collider_def *def)
{
    double bottom = (double)def->radius, top = (double)def->top_radius, half = (double)def->half_height;
    double b = tapered_capsule_taper(def), a = sqrt(1.0 - b * b), low = b * bottom - half, high = b * top + half;
    const pli_revolved parts[3] = {pli_revolved_sphere(-half, bottom, -half - bottom, low),
                                   pli_revolved_cone(low, high, a * bottom, a * top),
                                   pli_revolved_sphere(half, top, high, half + top)};
    return pli_revolved_mass(parts, 3);
}

static pli_status tapered_capsule_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                             pli_mesh **mesh, pli_error *error)
{
    double half = (double)def->half_height, b = tapered_capsule_taper(def);
    pli_profile profile = {0};
    pli_profile_arc(&profile, resolution, half, (double)def->top_radius, 1.0, b);
    pli_profile_arc(&profile, resolution, -half, (double)def->radius, b, -1.0);
    return pli_revolve(&profile, resolution, hooks, mesh, error);
}

WIDE_INLINE wide tapered_capsule_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    double sine = tapered_capsule_taper(def), cosine = sqrt(1.0 - sine * sine);
    wide a = wide_set((float)cosine), b = wide_set((float)sine), half = wide_set(def->half_height);
    wide3 radial;
    wide away = wide_direction((wide3){point.x, wide_set(0.0f), point.z}, wide3_set(1.0f, 0.0f, 0.0f), &radial);
    wide place = wide_min(wide_max(point.y - away * b / a, -half), half);
    // On the axis inside the cone, the normal is the normal of the cone.
    wide3 beside = {radial.x * a, b, radial.z * a};
    wide length = wide_direction((wide3){point.x, point.y - place, point.z}, beside, normal);
    return length - (wide_set(def->radius) - b * (place + half));
}

PLI_SHAPE_KERNELS(tapered_capsule, true)

const pli_shape_row PLI_NAMED(pli_shape_tapered_capsule) = {
    .shape = PLI_SHAPE_TAPERED_CAPSULE,
    .complaint = tapered_capsule_complaint,
    .reach = tapered_capsule_reach,
    .support = tapered_capsule_support,
    .mass = tapered_capsule_mass,
    .tessellate = tapered_capsule_tessellate,
    .find = PLI_SHAPE_FIND(tapered_capsule),
    .distances = PLI_SHAPE_DISTANCES(tapered_capsule),
};
