// A capsule: all points within `radius` of a segment along local y.
//
//      .-.  |
//     /   \ | half_height
//     | + | + origin
//     \   / | half_height
//      '-'  |
#include "shapes/contact_kernel.h"
#include "shapes/revolution.h"

static const char *capsule_complaint(const pli_collider_def *def)
{
    const char *of_axis = pli_half_height_complaint(def->half_height);
    return of_axis ? of_axis : pli_radius_complaint(def->radius);
}

static float capsule_reach(const pli_collider_def *def) { return def->radius + def->half_height; }

static pli_vec3 capsule_support(const pli_collider_def *def, pli_vec3 direction)
{
    pli_vec3 point = pli_scale(direction, def->radius / pli_length(direction));
    point.y += direction.y < 0.0f ? -def->half_height : def->half_height;
    return point;
}

static pli_shape_core capsule_core(const pli_collider_def *def)
{
    return (pli_shape_core){{0.0f, def->half_height, 0.0f}, def->radius};
}

static pli_mass_properties capsule_mass(const pli_collider_def *def)
{
    double radius = (double)def->radius, half = (double)def->half_height;
    pli_mass_properties sphere = pli_sphere_mass(radius);
    double cylinder = 2.0 * PLI_PI * radius * radius * half, square = radius * radius;
    double along = 0.5 * cylinder * square + sphere.inertia[1];
    double across = cylinder * (0.25 * square + half * half / 3.0) +
                    sphere.mass * (0.4 * square + half * half + 0.75 * half * radius);
    return (pli_mass_properties){cylinder + sphere.mass, {0, 0, 0}, {across, along, across, 0, 0, 0}};
}

static pli_status capsule_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                     pli_mesh **mesh, pli_error *error)
{
    double radius = (double)def->radius, half = (double)def->half_height;
    pli_profile profile = {0};
    pli_profile_arc(&profile, resolution, half, radius, 1.0, 0.0);
    pli_profile_arc(&profile, resolution, -half, radius, 0.0, -1.0);
    return pli_revolve(&profile, resolution, hooks, mesh, error);
}

WIDE_INLINE wide capsule_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    wide half = wide_set(def->half_height);
    wide3 out = {point.x, point.y - wide_min(wide_max(point.y, -half), half), point.z};
    return wide_direction(out, wide3_set(1.0f, 0.0f, 0.0f), normal) - wide_set(def->radius);
}

PLI_SHAPE_KERNELS(capsule, true)

const pli_shape_row PLI_NAMED(pli_shape_capsule) = {
    .shape = PLI_SHAPE_CAPSULE,
    .complaint = capsule_complaint,
    .reach = capsule_reach,
    .support = capsule_support,
    .core = capsule_core,
    .mass = capsule_mass,
    .tessellate = capsule_tessellate,
    .find = PLI_SHAPE_FIND(capsule),
    .distances = PLI_SHAPE_DISTANCES(capsule),
};
