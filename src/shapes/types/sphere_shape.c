// A sphere about the origin: the signed distance is |x| - radius.
#include "shapes/contact_kernel.h"
#include "shapes/revolution.h"

static const char *sphere_complaint(const pli_collider_def *def) { return pli_radius_complaint(def->radius); }

static float sphere_reach(const pli_collider_def *def) { return def->radius; }

static pli_vec3 sphere_support(const pli_collider_def *def, pli_vec3 direction)
{
    return pli_scale(direction, def->radius / pli_length(direction));
}

static pli_shape_core sphere_core(const pli_collider_def *def) { return (pli_shape_core){.radius = def->radius}; }

static pli_mass_properties sphere_mass(const pli_collider_def *def) { return pli_sphere_mass((double)def->radius); }

static pli_status sphere_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                    pli_mesh **mesh, pli_error *error)
{
    pli_profile profile = {0};
    pli_profile_arc(&profile, resolution, 0.0, (double)def->radius, 1.0, -1.0);
    return pli_revolve(&profile, resolution, hooks, mesh, error);
}

WIDE_INLINE wide sphere_distance(const pli_collider_def *def, wide3 point, wide3 *normal)
{
    return wide_direction(point, wide3_set(0.0f, 1.0f, 0.0f), normal) - wide_set(def->radius);
}

PLI_SHAPE_KERNELS(sphere, true)

const pli_shape_row PLI_NAMED(pli_shape_sphere) = {
    .shape = PLI_SHAPE_SPHERE,
    .complaint = sphere_complaint,
    .reach = sphere_reach,
    .support = sphere_support,
    .core = sphere_core,
    .mass = sphere_mass,
    .tessellate = sphere_tessellate,
    .find = PLI_SHAPE_FIND(sphere),
    .distances = PLI_SHAPE_DISTANCES(sphere),
};
