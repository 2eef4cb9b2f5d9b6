// Painted values: values by vertex or face of the rest mesh become masses, thicknesses, pressures, coefficients of friction, scales of
// compliance and damping, and yields of bends.
#include "world/material/paint.h"

#include "base/error.h"
#include "constraints/registry.h"
#include "mesh/rest_geometry.h"
#include "model/handles.h"
#include "pliant/material.h"
#include "sweep/constraint_links.h"
#include "sweep/constraint_slots.h"
#include "sweep/wavefront.h"

#define FACTOR_MIN 1e-6f
#define FACTOR_MAX 1e6f

// The given values, and their required domain, count and range.
typedef struct painting {
    const char *what;
    pli_paint_domain domain;
    const float *values;
    int32_t count;
    float minimum, maximum;
} painting;

static pli_status check(const pli_deformable_data *deformable, const painting *p, pli_error *error)
{
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    const bool of_faces = p->domain == PLI_PAINT_FACES;
    const int32_t expected = of_faces ? t->face_count : t->vertex_count;
    if (!of_faces && p->domain != PLI_PAINT_VERTICES)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: %d is no domain; paint vertices or faces", p->what,
                        (int)p->domain);
    if (deformable->count > t->vertex_count)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: '%s' has torn; paint it before it tears", p->what,
                        deformable->name ? deformable->name : "");
    if (!p->values || p->count != expected)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: %d values for the %d %s of '%s'; give one for each",
                        p->what, p->values ? (int)p->count : 0, (int)expected, of_faces ? "faces" : "vertices",
                        deformable->name ? deformable->name : "");
    for (int32_t i = 0; i < p->count; i++)
        if (!(p->values[i] >= p->minimum && p->values[i] <= p->maximum))
            return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: the value of %s %d is %g; it must be %g to %g",
                            p->what, of_faces ? "face" : "vertex", (int)i, (double)p->values[i], (double)p->minimum,
                            (double)p->maximum);
    return pli_succeed(error);
}

// The value at a vertex: its own, or the area-weighted mean of the faces around it.
static double value_at(const pli_topology *t, const painting *p, int32_t vertex)
{
    if (p->domain == PLI_PAINT_VERTICES)
        return (double)p->values[vertex];
    double sum = 0.0, area = 0.0, first = 0.0;
    for (int32_t i = t->triangle_offsets[vertex]; i < t->triangle_offsets[vertex + 1]; i++) {
        const int32_t triangle = t->vertex_triangles[i];
        const double value = (double)p->values[t->triangle_faces[triangle]], share = pli_rest_area(t, triangle);
        first = i == t->triangle_offsets[vertex] ? value : first;
        sum += share * value, area += share;
    }
    return area > 0.0 ? sum / area : first;
}

/* ---- density ------------------------------------------------------------------------------------ */

pli_status pli_deformable_paint_density(pli_world *world, pli_deformable handle, pli_paint_domain domain,
                                        const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const painting p = {"density [kg/m2]", domain, values, count, 1e-9f, 1e9f};
    pli_status status = check(deformable, &p, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float *inverse = PLI_ALLOCATE(&world->memory, float, t->vertex_count);
    if (!inverse && t->vertex_count > 0)
        return pli_fail_memory(error);
    for (int32_t v = 0; v < t->vertex_count; v++) {
        const double mass = value_at(t, &p, v) * (double)t->vertex_areas[v];
        inverse[v] = mass > 0.0 && isfinite((float)(1.0 / mass)) ? (float)(1.0 / mass) : 0.0f;
    }
    status = pli_deformable_set_inverse_masses(world, handle, 0, t->vertex_count, inverse, error);
    pli_release(&world->memory, inverse);
    return status;
}

/* ---- friction and drag --------------------------------------------------------------------------- */

// Replaces the values of vertices, in internal order; null removes the paint.
static pli_status paint_vertices(pli_world *world, pli_deformable_data *deformable, const painting *p, float **painted,
                                 int32_t *painted_count, pli_error *error)
{
    pli_status status = p->values ? check(deformable, p, error) : pli_succeed(error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float *fresh = p->values ? PLI_ALLOCATE(&world->memory, float, t->vertex_count) : NULL;
    if (p->values && !fresh && t->vertex_count > 0)
        return pli_fail_memory(error);
    for (int32_t v = 0; fresh && v < t->vertex_count; v++)
        fresh[pli_place(deformable, v)] = (float)value_at(t, p, v);
    pli_release(&world->memory, *painted);
    *painted = fresh;
    *painted_count = fresh ? t->vertex_count : 0;
    world->collision.stirred = true;
    return pli_succeed(error);
}

pli_status pli_deformable_paint_friction(pli_world *world, pli_deformable handle, pli_paint_domain domain,
                                         const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const painting p = {"friction", domain, values, count, 0.0f, 1e3f};
    pli_status status = paint_vertices(world, deformable, &p, &deformable->frictions, &deformable->friction_count,
                                       error);
    if (deformable->surface) {
        deformable->surface->material.frictions = deformable->frictions;
        deformable->surface->material.friction_count = deformable->friction_count;
    }
    return status;
}

pli_status pli_deformable_paint_drag(pli_world *world, pli_deformable handle, pli_paint_domain domain,
                                     const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    const painting p = {"drag", domain, values, count, 0.0f, 100.0f};
    return deformable ? paint_vertices(world, deformable, &p, &deformable->drags, &deformable->drag_count, error)
                      : PLI_STATUS_NOT_FOUND;
}

/* ---- thickness ----------------------------------------------------------------------------------- */

pli_status pli_deformable_paint_thickness(pli_world *world, pli_deformable handle, pli_paint_domain domain,
                                          const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const painting p = {"thickness [m]", domain, values, count, 0.0f, 1e6f};
    pli_status status = values ? check(deformable, &p, error) : pli_succeed(error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    // Kernels read full batches; vertices that tears add follow.
    const int64_t padded = (int64_t)deformable->capacity + PLI_BATCH;
    float *fresh = values ? PLI_ALLOCATE(&world->memory, float, padded) : NULL;
    if (values && !fresh)
        return pli_fail_memory(error);
    deformable->thickest = 0.0f, deformable->thinnest = fresh && t->vertex_count > 0 ? 1e6f : 0.0f;
    for (int32_t v = 0; fresh && v < t->vertex_count; v++) {
        const float value = (float)value_at(t, &p, v);
        fresh[pli_place(deformable, v)] = value;
        deformable->thickest = fmaxf(deformable->thickest, value);
        deformable->thinnest = fminf(deformable->thinnest, value);
    }
    pli_release(&world->memory, deformable->thicknesses);
    deformable->thicknesses = fresh;
    pli_deformable_take_thickness(deformable);
    deformable->surface_stale = true;
    if (deformable->surface)
        deformable->surface->material.thicknesses = fresh;
    world->collision.stirred = true;
    return pli_succeed(error);
}

/* ---- rigidity and pressure ----------------------------------------------------------------------- */

// A triangle has the value of its face, or the mean of its corners.
static double triangle_value(const pli_topology *t, const painting *p, int32_t triangle)
{
    if (p->domain == PLI_PAINT_FACES)
        return (double)p->values[t->triangle_faces[triangle]];
    const int32_t *corners = t->triangles + 3 * (size_t)triangle;
    return ((double)p->values[corners[0]] + (double)p->values[corners[1]] + (double)p->values[corners[2]]) / 3.0;
}

pli_status pli_deformable_paint_rigidity(pli_world *world, pli_deformable handle, pli_paint_domain domain,
                                         const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const double rigidity = (double)deformable->def.plate.rigidity;
    const painting p = {"rigidity [N m]", domain, values, count, 1e-12f, 1e6f};
    pli_status status = values ? check(deformable, &p, error) : pli_succeed(error);
    if (status != PLI_STATUS_OK)
        return status;
    if (values && !(rigidity > 0.0))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "rigidity: '%s' has no plate to paint; give its definition plate.rigidity first",
                        deformable->name ? deformable->name : "");
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float *factors = values ? PLI_ALLOCATE(&world->memory, float, t->triangle_count) : NULL;
    if (values && !factors && t->triangle_count > 0)
        return pli_fail_memory(error);
    for (int32_t i = 0; factors && i < t->triangle_count; i++)
        factors[i] = (float)(triangle_value(t, &p, i) / rigidity);
    pli_release(&world->memory, deformable->plate_factors);
    deformable->plate_factors = factors;
    deformable->plate_paint++;
    world->collision.stirred = true;
    return pli_succeed(error);
}

pli_status pli_deformable_paint_pressure(pli_world *world, pli_deformable handle, pli_paint_domain domain,
                                         const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const painting p = {"pressure [Pa]", domain, values, count, -1e9f, 1e9f};
    pli_status status = values ? check(deformable, &p, error) : pli_succeed(error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float *fresh = values ? PLI_ALLOCATE(&world->memory, float, t->triangle_count) : NULL;
    if (values && !fresh && t->triangle_count > 0)
        return pli_fail_memory(error);
    for (int32_t i = 0; fresh && i < t->triangle_count; i++)
        fresh[i] = (float)triangle_value(t, &p, i);
    pli_release(&world->memory, deformable->pressures);
    deformable->pressures = fresh;
    world->collision.stirred = true;
    return pli_succeed(error);
}

/* ---- stiffness ---------------------------------------------------------------------------------- */

// An array by slot. Kernels for runs load full registers, which reach beyond the last slot; tears add slots.
static float *reserve_slots(pli_world *world, const pli_constraints_data *set)
{
    const size_t slots = (size_t)(set->links && set->type->cardinality > 0 ? set->links->slot_capacity
                                                                           : set->slot_count);
    return PLI_ALLOCATE(&world->memory, float, slots + (set->runs ? PLI_BATCH : 0));
}

pli_status pli_constraints_reserve_scales(pli_world *world, pli_constraints_data *set, pli_error *error)
{
    if (set->of_attachment || (set->type->cardinality == 0 && !set->type->compliance_scale))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the stiffness of '%s' is one number; it cannot be given by constraint", set->name);
    if (set->scaled_count == set->count)
        return pli_succeed(error);
    float *base = PLI_ALLOCATE(&world->memory, float, set->count);
    float *factors = PLI_ALLOCATE(&world->memory, float, set->count);
    float *slots = set->compliance_scale ? set->compliance_scale : reserve_slots(world, set);
    if (!base || !factors || !slots) {
        pli_release(&world->memory, base);
        pli_release(&world->memory, factors);
        if (slots != set->compliance_scale)
            pli_release(&world->memory, slots);
        return set->count == 0 ? pli_succeed(error) : pli_fail_memory(error);
    }
    for (int32_t i = 0; i < set->count; i++) {
        base[i] = set->compliance_scale ? slots[pli_constraints_slot(set, i)] : 1.0f;
        factors[i] = 1.0f;
    }
    set->base_scales = base, set->stiffness_factors = factors, set->compliance_scale = slots;
    set->scaled_count = set->count;
    return pli_succeed(error);
}

void pli_constraints_take_scales(pli_world *world, pli_constraints_data *set)
{
    pli_constraints_write_scales(set, true);
    pli_wavefronts_free(world, set->deformable); // Wavefronts have copies of the scales.
    world->collision.stirred = true;
}

static double mean_at(const pli_constraints_data *set, const painting *p, int32_t constraint)
{
    const pli_topology *t = pli_mesh_topology(set->deformable->mesh);
    const int32_t *variable;
    int32_t fixed[PLI_CARDINALITY_MAX];
    const int32_t n = pli_constraints_particles(set, constraint, &variable, fixed);
    double sum = 0.0;
    for (int32_t k = 0; k < n; k++)
        sum += value_at(t, p, pli_vertex(set->deformable, variable ? variable[k] : fixed[k]));
    return sum / n;
}

pli_status pli_constraints_paint_stiffness(pli_world *world, pli_constraints handle, pli_paint_domain domain,
                                           const float *factors, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    pli_constraints_data *set = pli_constraints_get(world, handle, error);
    if (!set)
        return PLI_STATUS_NOT_FOUND;
    const painting p = {"stiffness", domain, factors, count, FACTOR_MIN, FACTOR_MAX};
    pli_status status = check(set->deformable, &p, error);
    if (status == PLI_STATUS_OK)
        status = pli_constraints_reserve_scales(world, set, error);
    if (status != PLI_STATUS_OK)
        return status;
    for (int32_t i = 0; i < set->scaled_count; i++)
        set->stiffness_factors[i] = (float)mean_at(set, &p, i);
    pli_constraints_take_scales(world, set);
    return status;
}

/* ---- bends that stay, and damping ---------------------------------------------------------------- */

static bool takes(const pli_constraints_data *set, pli_painted_kind kind)
{
    if (kind != PLI_PAINTED_DAMPING)
        return set->type->bend && pli_parameter_slot(set->type, "yield") >= 0;
    return !set->of_attachment && (set->type->cardinality > 0 || set->type->compliance_scale);
}

// Replaces the painted values of a set; null removes the paint. False when memory ran out.
static bool paint_set(pli_world *world, pli_constraints_data *set, pli_painted_kind kind, const painting *p)
{
    pli_painted *painted = &set->painted[kind];
    const bool damps = kind == PLI_PAINTED_DAMPING && p->values;
    float *fresh = p->values ? PLI_ALLOCATE(&world->memory, float, set->count) : NULL;
    float *slots = damps ? reserve_slots(world, set) : NULL;
    if ((p->values && !fresh) || (damps && !slots)) {
        pli_release(&world->memory, fresh);
        pli_release(&world->memory, slots);
        return false;
    }
    for (int32_t i = 0; fresh && i < set->count; i++)
        fresh[i] = (float)mean_at(set, p, i);
    pli_release(&world->memory, painted->values);
    *painted = (pli_painted){fresh, fresh ? set->count : 0};
    if (kind == PLI_PAINTED_DAMPING) {
        pli_release(&world->memory, set->damping_scale);
        set->damping_scale = slots;
        pli_constraints_take_scales(world, set);
    }
    return true;
}

// Replaces the painted values of the plate by triangle. False when memory ran out.
static bool paint_plate(pli_world *world, const pli_topology *t, const painting *p, float **painted)
{
    float *fresh = p->values ? PLI_ALLOCATE(&world->memory, float, t->triangle_count) : NULL;
    if (p->values && !fresh && t->triangle_count > 0)
        return false;
    for (int32_t i = 0; fresh && i < t->triangle_count; i++)
        fresh[i] = (float)triangle_value(t, p, i);
    pli_release(&world->memory, *painted);
    *painted = fresh;
    return true;
}

static pli_status paint_all(pli_world *world, pli_deformable handle, pli_painted_kind kind, painting p,
                            pli_error *error)
{
    pli_deformable_data *deformable = pli_deformable_get(world, handle, error);
    if (!deformable)
        return PLI_STATUS_NOT_FOUND;
    const pli_status status = p.values ? check(deformable, &p, error) : pli_succeed(error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_topology *t = pli_mesh_topology(deformable->mesh);
    float **plates[] = {&deformable->plate_yields, &deformable->plate_hardenings, NULL};
    bool any = !p.values, complete = true;
    if (plates[kind] && (!p.values || deformable->def.plate.rigidity > 0.0f))
        any = true, complete = paint_plate(world, t, &p, plates[kind]);
    for (pli_constraints_data *set = deformable->first_set; set && complete; set = set->next)
        if (set->count > 0 && takes(set, kind))
            any = true, complete = paint_set(world, set, kind, &p);
    world->collision.stirred = true;
    if (!complete) { // A failure removes all of the paint instead of leaving a part.
        p.values = NULL;
        paint_all(world, handle, kind, p, NULL);
        return pli_fail_memory(error);
    }
    return any ? pli_succeed(error)
               : pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "%s: '%s' has nothing to paint; give it %s first", p.what,
                          deformable->name ? deformable->name : "",
                          kind == PLI_PAINTED_DAMPING ? "constraints" : "a plate or constraints that keep bends");
}

pli_status pli_deformable_paint_yield(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                      const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    const painting p = {"yield [1/m]", domain, values, count, 1e-6f, 1e9f};
    return paint_all(world, deformable, PLI_PAINTED_YIELD, p, error);
}

pli_status pli_deformable_paint_hardening(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                          const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    const painting p = {"hardening", domain, values, count, 0.0f, 1e6f};
    return paint_all(world, deformable, PLI_PAINTED_HARDENING, p, error);
}

pli_status pli_deformable_paint_damping(pli_world *world, pli_deformable deformable, pli_paint_domain domain,
                                        const float *values, int32_t count, pli_error *error)
{
    if (!pli_world_may_change(world, error))
        return PLI_STATUS_INVALID_ARGUMENT;
    const painting p = {"damping", domain, values, count, 0.0f, 1e6f};
    return paint_all(world, deformable, PLI_PAINTED_DAMPING, p, error);
}
