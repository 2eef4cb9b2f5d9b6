// Pressure: the volume of a closed component stays a factor times its rest volume, or gas presses on it from inside.
//
//   Mueller et al. 2006, section 4.4, eqs. (14), (15), divided by the 6 that the printed sum lacks
//   (docs/errata.md E13), taken relative to the centroid against rounding, and with the change of
//   volume in one projection limited, since far targets overshoot.
//
//   C = V - k V0,  V = sum (p1 x p2) . p3 / 6,  grad_i C = sum over triangles of v_i of p_j x p_k / 6
//
//           p3
//          /  \          each triangle of the surface spans a tetrahedron
//        p1 -- p2        of signed volume (p1 x p2) . p3 / 6 with the origin
//          \  /
//         origin
//
// The energy of a pressure p(V) above the outside pressure has the derivative -p, and it acts along the same gradient. The condition
// lambda = h^2 p at the end of a projection, linear in the change W dlambda of the volume, W = sum w |grad V|^2, gives
//
//   dlambda = (h^2 p(V) - lambda) / (1 - h^2 p'(V) W)
//
// which is XPBD with the compliance -1 / p' (Macklin et al. 2016, eq. 18). A given pressure has p' = 0; gas with p V = n R T has
// p = n R T / V - p0 with the outside pressure p0.
//
// Area normals are computed for several triangles simultaneously, in float from differences of corners; sums run in double, one triangle
// after the other, so that every back end gives the same bits.
#include "constraints/types/volume.h"

#include "base/text.h"
#include "base/vector.h"
#include "constraints/kernel.h"

static const pli_property volume_parameters[] = {
    [PLI_VOLUME_FACTOR] = {.name = "pressure",
                           .label = PLI_TEXT("Pressure"),
                           .unit = "",
                           .summary = PLI_TEXT("Overpressure factor: the volume aimed at over the rest volume."),
                           .maximum = 1e6,
                           .initial = 1.0,
                           .soft_minimum = 0.0,
                           .soft_maximum = 3.0},
    [PLI_VOLUME_CHANGE_LIMIT] = {.name = "change_limit",
                                 .label = PLI_TEXT("Change limit"),
                                 .unit = "",
                                 .summary = PLI_TEXT("Largest relative volume change that one projection may aim for."),
                                 .minimum = 1e-6,
                                 .maximum = 1e6,
                                 .initial = 0.2,
                                 .soft_minimum = 0.01,
                                 .soft_maximum = 1.0,
                                 .scale = PLI_SLIDER_LOG,
                                 .section = "advanced"},
    [PLI_VOLUME_GAUGE_PRESSURE] =
        {.name = "gauge_pressure",
         .label = PLI_TEXT("Gauge pressure"),
         .unit = "Pa",
         .summary = PLI_TEXT(
             "Pressure inside minus pressure outside. If not 0, it is kept at any volume and replaces the factor; also "
             "for meshes that are flat at rest. XPBD."),
         .minimum = -1e9,
         .maximum = 1e9,
         .initial = 0.0,
         .soft_minimum = 0.0,
         .soft_maximum = 1000.0},
    [PLI_VOLUME_AMOUNT] = {.name = "amount",
                           .label = PLI_TEXT("Gas"),
                           .unit = "mol",
                           .summary = PLI_TEXT(
                               "Gas inside, whose pressure falls as the volume grows, p V = n R T. Above 0 it replaces "
                               "the factor and the gauge pressure; also for meshes that are flat at rest. XPBD."),
                           .maximum = 1e9,
                           .initial = 0.0,
                           .soft_minimum = 0.0,
                           .soft_maximum = 1.0},
    [PLI_VOLUME_TEMPERATURE] = {.name = "temperature",
                                .label = PLI_TEXT("Temperature"),
                                .unit = "K",
                                .summary = PLI_TEXT("Temperature of the gas."),
                                .minimum = 1e-3,
                                .maximum = 1e6,
                                .initial = 293.15,
                                .soft_minimum = 250.0,
                                .soft_maximum = 400.0,
                                .section = "advanced"},
    [PLI_VOLUME_AMBIENT_PRESSURE] = {.name = "ambient_pressure",
                                     .label = PLI_TEXT("Pressure outside"),
                                     .unit = "Pa",
                                     .summary = PLI_TEXT("Pressure outside of the gas."),
                                     .maximum = 1e9,
                                     .initial = 101325.0,
                                     .soft_minimum = 0.0,
                                     .soft_maximum = 200000.0,
                                     .section = "advanced"},
};

static pli_dvec3 centroid_of(const pli_stencil *s)
{
    pli_dvec3 sum = {0};
    for (int32_t i = 0; i < s->count; i++)
        sum = pli_dadd(sum, pli_dmake(s->positions[i]));
    return pli_dscale(sum, 1.0 / s->count);
}

static double volume_of(const pli_stencil *s)
{
    pli_dvec3 origin = centroid_of(s);
    double sum = 0.0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *corner = s->triangles + 3 * t;
        pli_dvec3 a = pli_dsub(pli_dmake(s->positions[corner[0]]), origin);
        pli_dvec3 b = pli_dsub(pli_dmake(s->positions[corner[1]]), origin);
        pli_dvec3 c = pli_dsub(pli_dmake(s->positions[corner[2]]), origin);
        sum += pli_ddot(pli_dcross(a, b), c);
    }
    return sum / 6.0;
}

static bool volume_rest(const pli_stencil *s, float *rest_values)
{
    double volume = volume_of(s);
    rest_values[0] = (float)volume;
    // A target factor needs a rest volume other than 0; gas can fill a flat surface.
    return s->triangle_count >= 2 && isfinite(rest_values[0]) &&
           ((s->triangle_count >= 4 && rest_values[0] != 0.0f) ||
            (s->parameters && pli_volume_has_pressure(s->parameters)));
}

// A pressure acts along the same gradient; the value is then the difference between the volume and the volume for the factor.
static void volume_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    values[0] = volume_of(s) - (double)s->parameters[PLI_VOLUME_FACTOR] * (double)s->rest[0];
    if (!gradients)
        return;
    pli_dvec3 origin = centroid_of(s);
    for (int32_t i = 0; i < 3 * s->count; i++)
        gradients[i] = 0.0;
    for (int32_t t = 0; t < s->triangle_count; t++) {
        const int32_t *corner = s->triangles + 3 * t;
        for (int32_t k = 0; k < 3; k++) {
            pli_dvec3 b = pli_dsub(pli_dmake(s->positions[corner[(k + 1) % 3]]), origin);
            pli_dvec3 c = pli_dsub(pli_dmake(s->positions[corner[(k + 2) % 3]]), origin);
            pli_dvec3 g = pli_dscale(pli_dcross(b, c), 1.0 / 6.0);
            gradients[3 * corner[k]] += g.x, gradients[3 * corner[k] + 1] += g.y, gradients[3 * corner[k] + 2] += g.z;
        }
    }
}

#if WIDE == 1 && !defined PLI_RUNS

static pli_dvec3 volume_position_of(const pli_particle *particles, int32_t i)
{
    return (pli_dvec3){(double)particles[i].x, (double)particles[i].y, (double)particles[i].z};
}

typedef struct volume_component {
    const int32_t *members, *triangles;
    int32_t member_count, triangle_count;
    float rest_volume;
} volume_component;

static volume_component volume_component_of(const pli_projection *p, int32_t slot)
{
    const pli_variable *v = &p->variable;
    return (volume_component){
        .members = v->members + v->member_spans[slot].begin,
        .member_count = v->member_spans[slot].end - v->member_spans[slot].begin,
        .triangles = v->triangles + 3 * v->triangle_spans[slot].begin,
        .triangle_count = v->triangle_spans[slot].end - v->triangle_spans[slot].begin,
        .rest_volume = v->rest[v->rest_spans[slot].begin],
    };
}

static pli_vec3 volume_middle(const pli_projection *p, const volume_component *c)
{
    pli_dvec3 sum = {0};
    for (int32_t i = 0; i < c->member_count; i++)
        sum = pli_dadd(sum, volume_position_of(p->particles, c->members[i]));
    sum = pli_dscale(sum, 1.0 / c->member_count);
    return (pli_vec3){(float)sum.x, (float)sum.y, (float)sum.z};
}

// Writes the gradients of the members to `gradients`, and returns the volume and, if requested, the area. Around a vertex of a closed
// surface the printed products p_j x p_k have the same sum as the doubled area normals: (p_j - p_i) x (p_k - p_i) differs by p_i x p_j and
// p_k x p_i, which cancel from triangle to triangle.
static double volume_gather(const pli_projection *p, const volume_component *c, pli_volume_find_areas find,
                            double *gradients, double *area)
{
    for (int32_t i = 0; i < c->member_count; i++)
        for (int32_t k = 0; k < 3; k++)
            gradients[3 * c->members[i] + k] = 0.0;
    pli_vec3 origin = volume_middle(p, c);
    double sum = 0.0;
    pli_volume_areas found;
    for (int32_t first = 0; first < c->triangle_count; first += PLI_VOLUME_BATCH) {
        const int32_t *triangles = c->triangles + 3 * (int64_t)first;
        int32_t count = c->triangle_count - first < PLI_VOLUME_BATCH ? c->triangle_count - first : PLI_VOLUME_BATCH;
        find(p->particles, triangles, count, origin, &found);
        for (int32_t t = 0; t < count; t++) {
            double x = (double)found.x[t], y = (double)found.y[t], z = (double)found.z[t];
            sum += (double)found.along[t];
            if (area)
                *area += 0.5 * sqrt(x * x + y * y + z * z);
            for (int32_t k = 0; k < 3; k++) {
                double *g = gradients + 3 * triangles[3 * t + k];
                g[0] += x, g[1] += y, g[2] += z;
            }
        }
    }
    for (int32_t i = 0; i < c->member_count; i++)
        for (int32_t k = 0; k < 3; k++)
            gradients[3 * c->members[i] + k] *= 1.0 / 6.0;
    return sum / 6.0;
}

// The change of a pressure's multiplier: the formula at the top. `area` is the area of the surface.
static float volume_fill(const pli_projection *p, int32_t slot, double volume, double area, double weight)
{
    const double square = (double)p->coefficients.step * (double)p->coefficients.step;
    const float lambda = pli_lambda(p, 0, slot);
    double pressure = (double)p->parameters[PLI_VOLUME_GAUGE_PRESSURE], falls = 0.0, most = INFINITY;
    if (p->parameters[PLI_VOLUME_AMOUNT] > 0.0f) {
        const pli_gas gas = pli_volume_gas(p->parameters, volume, area);
        pressure = gas.pressure, falls = gas.falls;
        most = (double)p->parameters[PLI_VOLUME_CHANGE_LIMIT] * gas.filled;
    }
    double change = (square * pressure - (double)lambda) / (1.0 + square * falls * weight);
    if (fabs(change) * weight > most)
        change = change < 0.0 ? -most / weight : most / weight;
    if (p->lambda[0])
        p->lambda[0][slot] = lambda + (float)change;
    return (float)change;
}

static void volume_correct_component(const pli_projection *p, int32_t slot, pli_volume_find_areas find)
{
    volume_component c = volume_component_of(p, slot);
    double *gradients = p->variable.scratch;
    const bool by_pressure = pli_volume_has_pressure(p->parameters);
    double weight = 0.0, drift = 0.0, area = 0.0,
           volume = volume_gather(p, &c, find, gradients, by_pressure ? &area : NULL);
    for (int32_t i = 0; i < c.member_count; i++) {
        int32_t particle = c.members[i];
        pli_dvec3 g = pli_dmake(gradients + 3 * particle);
        pli_dvec3 moved = pli_dsub(volume_position_of(p->particles, particle),
                                   volume_position_of(p->previous, particle));
        weight += (double)p->particles[particle].w * pli_ddot(g, g);
        drift += pli_ddot(g, moved);
    }
    float change = by_pressure ? volume_fill(p, slot, volume, area, weight)
                               : pli_multiplier(p, 0, slot,
                                                (float)pli_volume_excess(p->parameters, volume, (double)c.rest_volume),
                                                (float)weight, (float)drift);
    for (int32_t i = 0; i < c.member_count; i++) {
        const double *g = gradients + 3 * c.members[i];
        float scale = p->particles[c.members[i]].w * change;
        pli_move_one(p, c.members[i], scale * (float)g[0], scale * (float)g[1], scale * (float)g[2]);
    }
}

void pli_project_volumes(const pli_projection *p, int32_t begin, int32_t end, pli_volume_find_areas find)
{
    for (int32_t i = begin; i < end; i++)
        volume_correct_component(p, pli_slot_in_order(p, begin, end, i), find);
}

#endif

static wide3 volume_load_corners(const pli_particle *particles, const int32_t *index)
{
    wide_particle p;
    wide_load_particles(particles, index, &p.x.x, &p.x.y, &p.x.z, &p.w);
    return p.x;
}

// `count` triangles, at most BATCH.
static void find_side_by_side(const pli_particle *particles, const int32_t *triangles, int32_t count, pli_vec3 origin,
                              pli_volume_areas *out)
{
    int32_t index[3][PLI_VOLUME_BATCH];
    for (int32_t lane = 0; lane < PLI_VOLUME_BATCH; lane++)
        for (int32_t k = 0; k < 3; k++)
            index[k][lane] = triangles[3 * (lane < count ? lane : 0) + k];
    wide3 middle = {wide_set(origin.x), wide_set(origin.y), wide_set(origin.z)};
    for (int32_t lane = 0; lane < PLI_VOLUME_BATCH; lane += WIDE) {
        wide3 a = volume_load_corners(particles, index[0] + lane), b = volume_load_corners(particles, index[1] + lane);
        wide3 c = volume_load_corners(particles, index[2] + lane);
        wide3 normal = wide3_cross(wide3_sub(b, a), wide3_sub(c, a));
        wide_store(out->x + lane, normal.x);
        wide_store(out->y + lane, normal.y);
        wide_store(out->z + lane, normal.z);
        wide_store(out->along + lane, wide3_dot(normal, wide3_sub(a, middle)));
    }
}

static void volume_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_project_volumes(p, begin, end, find_side_by_side);
}

static const pli_constraint_type volume_type = {
    .name = "volume",
    .label = PLI_TEXT("Volume"),
    .summary = PLI_TEXT("Keeps the volume of closed components, times an overpressure factor, as balloons do."),
    .formula = PLI_TEXT("C = sum (p1 x p2) . p3 / 6 - k V0"),
    .source = PLI_TEXT("Mueller et al. 2006, section 4.4, eqs. (14), (15), with the missing 1/6 (errata E13)"),
    .unit = "m^3",
    .generator = "closed_volume",
    .dimension = 1,
    .rest_count = 1,
    .parameters = volume_parameters,
    .parameter_count = sizeof volume_parameters / sizeof *volume_parameters,
    .rest = volume_rest,
    .evaluate = volume_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_volume) = PLI_ROW(volume_type, volume_project, 0, 0);
