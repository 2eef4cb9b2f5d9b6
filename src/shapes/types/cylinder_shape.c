// A cylinder along local y with flat ends.
//
// In the half-plane through a point and the axis the cylinder is a rectangle, and the distance is the distance from a 2D box:
//
//      y ^
//        |_______   over.y = |y| - half_height
//        |       |
//        |_______|_____> distance from the axis
//                   over.x = this distance - radius
#include "shapes/contact_kernel.h"
#include "shapes/revolution.h"

static const char *cylinder_complaint(const pli_collider_def *def)
{
    if (!(def->half_height > 0.0f) || !isfinite(def->half_height))
        return "its half_height must be positive [m]";
    return pli_radius_complaint(def->radius);
}

static float cylinder_reach(const pli_collider_def *def)
{
    return pli_length((pli_vec3){def->radius, def->half_height, 0.0f});
}

static pli_vec3 cylinder_support(const pli_collider_def *def, pli_vec3 direction)
{
    float out = pli_length((pli_vec3){direction.x, 0.0f, direction.z}), scale = out > 0.0f ? def->radius / out : 0.0f;
    return (pli_vec3){direction.x * scale, direction.y < 0.0f ? -def->half_height : def->half_height,
                      direction.z * scale};
}

static pli_mass_properties cylinder_mass(const pli_collider_def *def)
{
    double radius = (double)def->radius, half = (double)def->half_height;
    const pli_revolved part = pli_revolved_cone(-half, half, radius, radius);
    return pli_revolved_mass(&part, 1);
}

static pli_status cylinder_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                      pli_mesh **mesh, pli_error *error)
{
    double radius = (double)def->radius, half = (double)def->half_height;
    pli_profile profile = {0};
    pli_profile_point(&profile, 0.0, half);
    pli_profile_point(&profile, radius, half);
    pli_profile_point(&profile, radius, -half);
    pli_profile_point(&profile, 0.0, -half);
    return pli_revolve(&profile, resolution, hooks, mesh, error);
}

// Inside, the nearer of side and end decides.
WIDE_INLINE wide cylinder_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f);
    wide3 radial;
    wide away = wide_direction((wide3){point.x, zero, point.z}, wide3_set(1.0f, 0.0f, 0.0f), &radial);
    wide side = wide_select(wide_less(point.y, zero), -one, one);
    wide over_x = away - wide_set(def->radius), over_y = wide_abs(point.y) - wide_set(def->half_height);
    wide3 out = {wide_max(over_x, zero), wide_max(over_y, zero), zero};
    wide length = wide3_length(out);
    wide_mask outside = wide_less(zero, length), by_end = wide_less(over_x, over_y);
    wide divisor = wide_select(outside, length, one);
    wide across = wide_select(outside, out.x / divisor, wide_select(by_end, zero, one));
    wide along = wide_select(outside, out.y / divisor, wide_select(by_end, one, zero));
    *normal = (wide3){radial.x * across, side * along, radial.z * across};
    return wide_select(outside, length, wide_max(over_x, over_y));
}

PLI_SHAPE_KERNELS(cylinder, true)

const pli_shape_row PLI_NAMED(pli_shape_cylinder) = {
    .shape = PLI_SHAPE_CYLINDER,
    .complaint = cylinder_complaint,
    .reach = cylinder_reach,
    .support = cylinder_support,
    .mass = cylinder_mass,
    .tessellate = cylinder_tessellate,
    .find = PLI_SHAPE_FIND(cylinder),
    .distances = PLI_SHAPE_DISTANCES(cylinder),
};
