// Dihedral angle, signed: the reference bending model, independent of stretching.
//
//   Mueller et al. 2006, section 4.1, with the angle from atan2 and the closed-form gradient of
//   Bridson et al. 2003 instead of the printed arccos (docs/errata.md E11). Stencil in hinge.h.
//
//   theta = atan2((N1 x N2) . e / |e|, N1 . N2),  C = theta - theta0 in (-pi, pi];  flat is 0
//   grad3 = -|e| N1/|N1|^2                 grad4 = -|e| N2/|N2|^2
//   grad1 = -((p3 - p2) . e N1/|N1|^2 + (p4 - p2) . e N2/|N2|^2) / |e|
//   grad2 =  ((p3 - p1) . e N1/|N1|^2 + (p4 - p1) . e N2/|N2|^2) / |e|
#include "base/text.h"
#include "constraints/solve_parameter.h"
#include "constraints/types/hinge.h"
#include "base/simd/wide_angle.h"

enum { DIHEDRAL_CHANGE_LIMIT, DIHEDRAL_YIELD, DIHEDRAL_HARDENING, DIHEDRAL_SOLVE };

static const pli_property dihedral_parameters[] = {
    [DIHEDRAL_CHANGE_LIMIT] = HINGE_CHANGE_LIMIT,
    [DIHEDRAL_YIELD] = PLI_YIELD,
    [DIHEDRAL_HARDENING] = PLI_HARDENING,
    [DIHEDRAL_SOLVE] = PLI_SOLVE_PARAMETER,
};

static double angle_of(const hinge_wings *h)
{
    pli_dvec3 across = pli_dcross(h->normal1, h->normal2);
    return atan2(pli_ddot(across, h->edge) / h->edge_length, pli_ddot(h->normal1, h->normal2));
}

static bool dihedral_rest(const pli_stencil *s, float *rest_values)
{
    hinge_wings h = hinge_of(s);
    if (!hinge_sound(&h, HINGE_LEAST_HEIGHT))
        return false;
    rest_values[0] = (float)angle_of(&h);
    return true;
}

static void write_gradients(const pli_stencil *s, const hinge_wings *h, double *gradients)
{
    pli_dvec3 p1 = pli_dmake(s->positions[0]), p2 = pli_dmake(s->positions[1]);
    pli_dvec3 p3 = pli_dmake(s->positions[2]), p4 = pli_dmake(s->positions[3]);
    pli_dvec3 m1 = pli_dscale(h->normal1, 1.0 / (h->square1 * h->edge_length));
    pli_dvec3 m2 = pli_dscale(h->normal2, 1.0 / (h->square2 * h->edge_length));
    double square = h->edge_length * h->edge_length;
    pli_dvec3 g[4] = {
        pli_dscale(pli_dadd(pli_dscale(m1, pli_ddot(pli_dsub(p3, p2), h->edge)),
                            pli_dscale(m2, pli_ddot(pli_dsub(p4, p2), h->edge))),
                   -1.0),
        pli_dadd(pli_dscale(m1, pli_ddot(pli_dsub(p3, p1), h->edge)),
                 pli_dscale(m2, pli_ddot(pli_dsub(p4, p1), h->edge))),
        pli_dscale(m1, -square),
        pli_dscale(m2, -square),
    };
    for (int32_t k = 0; k < 4; k++)
        gradients[3 * k] = g[k].x, gradients[3 * k + 1] = g[k].y, gradients[3 * k + 2] = g[k].z;
}

static void dihedral_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    hinge_wings h = hinge_of(s);
    bool sound = hinge_sound(&h, HINGE_LEAST_HEIGHT);
    values[0] = sound ? remainder(angle_of(&h) - (double)s->rest[0], 2.0 * acos(-1.0)) : 0.0;
    for (int32_t i = 0; gradients && i < 12; i++)
        gradients[i] = 0.0;
    if (gradients && sound)
        write_gradients(s, &h, gradients);
}

// Energy (B/2) |e|^2 / (A1 + A2) theta^2, without the published factor 3 (docs/errata.md).
static float dihedral_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    hinge_wings h = hinge_of(s);
    return (float)(hinge_area(&h) / (h.edge_length * h.edge_length));
}

// A hinge represents the area A around it, with the curvature theta |e| / A, so the energy is (B/2) A curvature^2.
static double dihedral_bend(const pli_stencil *s, const pli_stencil *at_rest, double *rest_per_bend)
{
    double excess;
    hinge_wings h = hinge_of(at_rest);
    dihedral_evaluate(s, &excess, NULL);
    *rest_per_bend = hinge_area(&h) / h.edge_length;
    return excess / *rest_per_bend;
}

// theta - theta0 in (-pi, pi], from a common multiple of sine and cosine.
PLI_KERNEL wide angle_beyond_rest(const pli_projection *p, int32_t slot, wide sine, wide cosine)
{
    wide angle = wide_atan2(sine, cosine), zero = wide_set(0.0f);
    if (p->zero_rest & 1u)
        return angle;
    angle = angle - pli_rest(p, 0, slot);
    angle = angle - wide_select(wide_less(wide_set(WIDE_PI), angle), wide_set(2.0f * WIDE_PI), zero);
    return angle + wide_select(wide_less(angle, wide_set(-WIDE_PI)), wide_set(2.0f * WIDE_PI), zero);
}

// The gradients times the edge length: with u = N / |N|^2 they need no division by it.
PLI_LOOP dihedral_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    wide least = wide_set((float)(HINGE_LEAST_HEIGHT * HINGE_LEAST_HEIGHT)), zero = wide_set(0.0f);
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[4];
        pli_load_stencil(p, slot, 4, stencil);
        wide3 edge = wide3_sub(stencil[1].x, stencil[0].x);
        wide3 side3 = wide3_sub(stencil[2].x, stencil[0].x), side4 = wide3_sub(stencil[3].x, stencil[0].x);
        wide3 normal1 = wide3_cross(edge, side3), normal2 = wide3_cross(side4, edge);
        wide edge_square = wide3_dot(edge, edge), edge_length = wide_sqrt(edge_square);
        wide square1 = wide3_dot(normal1, normal1), square2 = wide3_dot(normal2, normal2);
        wide bound = least * (edge_square * edge_square);
        wide_mask sound = wide_and(wide_less(bound, square1), wide_less(bound, square2));

        wide sine = wide3_dot(wide3_cross(normal1, normal2), edge);
        wide cosine = wide3_dot(normal1, normal2) * edge_length;
        wide value = wide_select(sound, angle_beyond_rest(p, slot, sine, cosine), zero);

        wide inverse1 = wide_select(sound, wide_inverse_above(square1, 0.0f), zero);
        wide inverse2 = wide_select(sound, wide_inverse_above(square2, 0.0f), zero);
        wide3 d[4];
        d[2] = wide3_scale(normal1, -(edge_square * inverse1));
        d[3] = wide3_scale(normal2, -(edge_square * inverse2));
        d[1] = wide3_add_scaled(wide3_scale(normal1, wide3_dot(side3, edge) * inverse1), normal2,
                                wide3_dot(side4, edge) * inverse2);
        d[0] = wide3_negate(wide3_add(wide3_add(d[2], d[3]), d[1]));
        wide wings = (stencil[2].w * inverse1 + stencil[3].w * inverse2) * (edge_square * edge_square);
        wide weight = stencil[0].w * wide3_dot(d[0], d[0]) + stencil[1].w * wide3_dot(d[1], d[1]) + wings;
        pli_update_over(p, slot, 4, stencil, d, edge_length, value, weight, p->parameters[DIHEDRAL_CHANGE_LIMIT]);
    }
}

static void dihedral_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, dihedral_loop);
}

static const pli_constraint_type dihedral_type = {
    .name = "dihedral",
    .label = PLI_TEXT("Dihedral angle"),
    .summary = PLI_TEXT(
        "Keeps the signed angle between faces, independent of stretch and for any rest shape; the reference of "
        "bending models."),
    .formula = PLI_TEXT("C = atan2((N1 x N2) . e / |e|, N1 . N2) - theta0"),
    .source = PLI_TEXT("Mueller et al. 2006, section 4.1, with the signed angle (errata E11)"),
    .unit = "rad",
    .generator = "hinges",
    .cardinality = 4,
    .dimension = 1,
    .rest_count = 1,
    .bending = true,
    .parameters = dihedral_parameters,
    .parameter_count = sizeof dihedral_parameters / sizeof *dihedral_parameters,
    .rest = dihedral_rest,
    .evaluate = dihedral_evaluate,
    .compliance_scale = dihedral_compliance_scale,
    .bend = dihedral_bend,
    .bend_rest = 0,
};

const pli_constraint_row PLI_NAMED(pli_row_dihedral) = PLI_ROW(dihedral_type, dihedral_project, 0, 0);
