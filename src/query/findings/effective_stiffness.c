// The effective stiffness can be below the requested one. One sweep of XPBD in a substep h is limited by the inverse mass of its particles:
// in a sheet with the mass m = rho l^2 for each vertex, edges of stiffness Y have the effective stiffness Y / (1 + Y h^2 / m), and bending
// of rigidity D has D / (1 + 4 D h^2 / (m l^2)); tests/properties/bending/test_material measures both against hanging and bending strips.
#include "pliant/material.h"

#include "base/error.h"
#include "bending/bends.h"
#include "constraints/membrane_values.h"
#include "constraints/registry.h"
#include "mesh/rest_geometry.h"
#include "stretch/membrane.h"
#include "model/handles.h"
#include "model/model.h"
#include "sweep/sweep.h"

#include <math.h>
#include <string.h>

// The limits of sweeps, as divisors, and the fraction of the requested stiffness that counts as all of it.
#define BENDING_SATURATION 4.0
#define TENSILE_SATURATION 1.0
#define ENOUGH_REPRESENTED 0.95
// With this, Peirce's test of five fabrics with 3 to 33 cells recovers D within 4 % (docs/validation.md).
#define COARSENESS 0.6

// Mass of an average vertex [kg] and the corresponding length [m].
static void measure_deformable(const pli_deformable_data *deformable, double *mass, double *length)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    double masses = 0.0, area = 0.0;
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const float w = deformable->velocities[pli_place(deformable, v)].w;
        masses += w > 0.0f ? 1.0 / (double)w : 0.0;
        area += w > 0.0f ? (double)t->vertex_areas[v] : 0.0;
    }
    *length = t->triangle_count > 0 ? sqrt(2.0 * (double)deformable->rest.area / (double)t->triangle_count) : 0.0;
    *mass = area > 0.0 ? masses / area * *length * *length : 0.0;
}

static double acting(double asked, double limit)
{
    if (!(limit > 0.0))
        return 0.0;
    return isinf(asked) ? limit : asked / (1.0 + asked / limit);
}

static void add_bending(const pli_world *world, const pli_constraints_data *set, int32_t substeps,
                        pli_effective_stiffness *r)
{
    const double rigidity = set->parameters[PLI_PARAMETER_RIGIDITY];
    const double compliance = set->parameters[PLI_PARAMETER_COMPLIANCE];
    if (rigidity > 0.0 && !(compliance > 0.0) && pli_constraints_request_solve(world, set)) {
        r->rigidity_requested += rigidity;
        r->rigidity_effective += rigidity;
        return;
    }
    if (compliance > 0.0 || !set->type->compliance_scale)
        r->has_compliant_bending = true;
    if (compliance > 0.0 || (!(rigidity > 0.0) && !set->type->compliance_scale))
        return;
    const double asked = rigidity > 0.0 ? rigidity : INFINITY;
    // The limit is proportional to the inverse square of the substep.
    const double needed = ceil((double)substeps / sqrt(r->rigidity_limit / asked * (1.0 / ENOUGH_REPRESENTED - 1.0)));
    r->rigidity_requested += asked;
    r->rigidity_effective += acting(asked, r->rigidity_limit);
    if (rigidity > 0.0 && needed < 1e6)
        r->substeps_needed = (int32_t)fmax((double)r->substeps_needed, needed);
}

// Whether the equations of src/stretch include the set.
static bool is_solved(const pli_world *world, const pli_constraints_data *set)
{
    return pli_deformable_is_solved(world, set->deformable) && pli_constraints_is_solved(set);
}

static double tensile_effective(const pli_world *world, const pli_constraints_data *set, double asked, double mass,
                                const pli_effective_stiffness *r)
{
    const double stiffest = pli_membrane_stiffest(pli_deformable_meets_moving(world, set->deformable));
    return is_solved(world, set) ? fmin(asked, stiffest * mass / (r->step * r->step)) : acting(asked, r->tensile_limit);
}

// A membrane counts with the geometric mean of its warp and weft stiffness; 0 is rigid.
static void add_membrane(const pli_world *world, const pli_constraints_data *set, double mass,
                         pli_effective_stiffness *r)
{
    const double product = set->parameters[pli_parameter_slot(set->type, "warp")] *
                           set->parameters[pli_parameter_slot(set->type, "weft")];
    const double asked = product > 0.0 ? sqrt(product) : INFINITY;
    r->tensile_requested += asked;
    r->tensile_effective += tensile_effective(world, set, asked, mass, r);
}

// The smallest yield of sets and plates that bend: of the painted values, or `plain` if they are null.
static void add_yield(double plain, const float *painted, int32_t count, pli_effective_stiffness *r)
{
    for (int32_t i = 0; i < (painted ? count : 1); i++) {
        const double yield = painted ? (double)painted[i] : plain;
        if (yield > 0.0 && !(r->yield > 0.0 && r->yield < yield))
            r->yield = yield;
    }
}

static double or_rigid(double stiffness) { return stiffness > 0.0 ? stiffness : INFINITY; }

static void add_weave(const pli_constraints_data *set, pli_effective_stiffness *r)
{
    const double *values = set->parameters;
    const double warp = values[pli_parameter_slot(set->type, "warp")],
                 weft = values[pli_parameter_slot(set->type, "weft")];
    const double shear = values[pli_parameter_slot(set->type, "shear")];
    const double poisson = values[pli_parameter_slot(set->type, "poisson")];
    r->warp_requested += or_rigid(warp), r->weft_requested += or_rigid(weft);
    r->shear_requested += or_rigid(shear > 0.0 ? shear : sqrt(warp * weft) / (2.0 + 2.0 * poisson));
}

static void add_edge_rigidities(const pli_world *world, const pli_constraints_data *set, double mass,
                                pli_effective_stiffness *r)
{
    const double compliance = set->parameters[PLI_PARAMETER_COMPLIANCE];
    const double asked = compliance > 0.0 ? 1.0 / compliance : INFINITY;
    r->tensile_requested += asked;
    r->tensile_effective += tensile_effective(world, set, asked, mass, r);
}

// Painted values are weighted by area.
static double plate_rigidity(const pli_deformable_data *deformable)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    const double rigidity = (double)deformable->def.plate.rigidity;
    double sum = 0.0, area = 0.0;
    for (int32_t i = 0; deformable->triangle.rigidity && i < t->triangle_count; i++) {
        const double share = pli_rest_area(t, i);
        sum += share * (double)deformable->triangle.rigidity[i], area += share;
    }
    return area > 0.0 ? rigidity * sum / area : rigidity;
}

// A plate with cells of length l misses the change of curvature within a cell: 0.6 (l / c)^2 of D for a sheet that bends under its weight,
// which it does within the length c = (D / (rho g))^(1/3).
static double plate_acting(const pli_world *world, double rigidity, double mass, double length)
{
    const double weight = mass / (length * length) * (double)pli_length(world->settings.gravity);
    if (!(weight > 0.0) || !(rigidity > 0.0) || !isfinite(weight))
        return rigidity;
    const double cells = length / cbrt(rigidity / weight);
    return rigidity / (1.0 + COARSENESS * cells * cells);
}

pli_status pli_deformable_get_effective_stiffness(const pli_world *world, pli_deformable handle, double dt,
                                                  pli_effective_stiffness *representation, pli_error *error)
{
    const pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    if (!(dt > 0.0 && isfinite(dt)))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the step is %g s; it must be above 0", dt);
    double mass;
    pli_effective_stiffness r = {.step = dt / world->settings.substeps,
                                 .has_plate = deformable->def.plate.rigidity > 0.0f};
    measure_deformable(deformable, &mass, &r.length);
    const double per_square = pli_effective_sweeps(&world->settings) * mass / (r.step * r.step);
    r.tensile_limit = per_square / TENSILE_SATURATION;
    r.rigidity_limit = per_square * r.length * r.length / BENDING_SATURATION;
    const bool compliant = world->settings.method == PLI_METHOD_XPBD; // Under PBD stiffness has no unit.
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next) {
        const int32_t yield = pli_parameter_slot(set->type, "yield");
        if (yield >= 0 && set->type->bend)
            add_yield(set->parameters[yield], set->yield, set->slot_count, &r);
        if (set->of_attachment || !compliant)
            continue;
        if (set->type->bending)
            add_bending(world, set, world->settings.substeps, &r);
        else if (strcmp(set->type->name, "distance") == 0)
            add_edge_rigidities(world, set, mass, &r);
        else if (strcmp(set->type->name, "membrane") == 0) {
            add_membrane(world, set, mass, &r);
            add_weave(set, &r);
        }
    }
    if (r.has_plate)
        add_yield((double)deformable->def.plate.yield, deformable->triangle.yield,
                  pli_mesh_topology(deformable->mesh)->triangle_count, &r);
    r.yield_limit = r.length > 0.0 ? sqrt(2.0) / r.length : 0.0;
    r.rigidity_requested += plate_rigidity(deformable);
    r.rigidity_effective += plate_acting(world, plate_rigidity(deformable), mass, r.length);
    *representation = r;
    return pli_succeed(error);
}
