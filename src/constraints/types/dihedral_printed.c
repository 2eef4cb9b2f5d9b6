// Dihedral angle as printed in 2006: arccos of the normals' product.
//
//   Mueller et al. 2006, section 4.1 and appendix A, eqs. (24)-(28), in their orientation of the
//   normals: n1 from (p2-p1) x (p3-p1), n2 from (p2-p1) x (p4-p1), so that flat is pi. Unsigned,
//   and without a gradient at flat (docs/errata.md E11). Kept for comparison; prefer `dihedral`.
//
//   d = n1 . n2,  C = arccos(d) - phi0,  grad C = q / sqrt(1 - d^2)
//   q3 = (p2 x n2 + (n1 x p2) d) / |p2 x p3|    q4 = (p2 x n1 + (n2 x p2) d) / |p2 x p4|
//   q2 = -(p3 x n2 + (n1 x p3) d) / |p2 x p3| - (p4 x n1 + (n2 x p4) d) / |p2 x p4|
//   q1 = -q2 - q3 - q4          (positions relative to p1)
#include "base/text.h"
#include "constraints/types/hinge.h"
#include "base/simd/wide_angle.h"

// The sine below which rounding in q is a thousandth of q: a dead zone near flat. The kernel takes the sine from the cross product of the
// normals, since in float sqrt(1 - d^2) is noise below 1e-2. In double only the 0/0 of the gradient is omitted.
#define LEAST_SINE 1e-4f
#define LEAST_SINE_DOUBLE 1e-9

enum { DIHEDRAL_PRINTED_CHANGE_LIMIT };

static const pli_property dihedral_printed_parameters[] = {
    [DIHEDRAL_PRINTED_CHANGE_LIMIT] = HINGE_CHANGE_LIMIT,
};

typedef struct printed_angle {
    pli_dvec3 n1, n2;
    double length1, length2, d;
} printed_angle;

static bool printed_of(const pli_stencil *s, printed_angle *angle)
{
    hinge_wings h = hinge_of(s);
    if (!hinge_sound(&h, HINGE_LEAST_HEIGHT))
        return false;
    angle->length1 = sqrt(h.square1), angle->length2 = sqrt(h.square2);
    angle->n1 = pli_dscale(h.normal1, 1.0 / angle->length1);
    angle->n2 = pli_dscale(h.normal2, -1.0 / angle->length2);
    angle->d = fmax(-1.0, fmin(1.0, pli_ddot(angle->n1, angle->n2)));
    return true;
}

static bool dihedral_printed_rest(const pli_stencil *s, float *rest_values)
{
    printed_angle angle;
    if (!printed_of(s, &angle))
        return false;
    rest_values[0] = (float)acos(angle.d);
    return true;
}

// (a x n_other + (n_own x a) d) / length
static pli_dvec3 printed_term(pli_dvec3 a, pli_dvec3 own, pli_dvec3 other, double d, double length)
{
    return pli_dscale(pli_dadd(pli_dcross(a, other), pli_dscale(pli_dcross(own, a), d)), 1.0 / length);
}

static void dihedral_printed_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    printed_angle angle;
    values[0] = 0.0;
    for (int32_t i = 0; gradients && i < 12; i++)
        gradients[i] = 0.0;
    if (!printed_of(s, &angle))
        return;
    values[0] = acos(angle.d) - (double)s->rest[0];
    double sine = sqrt(1.0 - angle.d * angle.d);
    if (!gradients || sine < LEAST_SINE_DOUBLE)
        return;
    pli_dvec3 p1 = pli_dmake(s->positions[0]), p2 = pli_dsub(pli_dmake(s->positions[1]), p1);
    pli_dvec3 p3 = pli_dsub(pli_dmake(s->positions[2]), p1), p4 = pli_dsub(pli_dmake(s->positions[3]), p1);
    pli_dvec3 q[4];
    q[2] = printed_term(p2, angle.n1, angle.n2, angle.d, angle.length1);
    q[3] = printed_term(p2, angle.n2, angle.n1, angle.d, angle.length2);
    q[1] = pli_dscale(pli_dadd(printed_term(p3, angle.n1, angle.n2, angle.d, angle.length1),
                               printed_term(p4, angle.n2, angle.n1, angle.d, angle.length2)),
                      -1.0);
    q[0] = pli_dscale(pli_dadd(q[1], pli_dadd(q[2], q[3])), -1.0);
    for (int32_t k = 0; k < 4; k++)
        gradients[3 * k] = q[k].x / sine, gradients[3 * k + 1] = q[k].y / sine, gradients[3 * k + 2] = q[k].z / sine;
}

PLI_KERNEL wide3 wide_printed_term(wide3 a, wide3 own, wide3 other, wide d, wide inverse)
{
    return wide3_scale(wide3_add(wide3_cross(a, other), wide3_scale(wide3_cross(own, a), d)), inverse);
}

PLI_LOOP dihedral_printed_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    wide zero = wide_set(0.0f), one = wide_set(1.0f);
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[4];
        pli_load_stencil(p, slot, 4, stencil);
        wide3 p2 = wide3_sub(stencil[1].x, stencil[0].x);
        wide3 p3 = wide3_sub(stencil[2].x, stencil[0].x), p4 = wide3_sub(stencil[3].x, stencil[0].x);
        wide3 n1 = wide3_cross(p2, p3), n2 = wide3_cross(p2, p4);
        wide inverse1 = wide_inverse_above(wide3_length(n1), 0.0f),
             inverse2 = wide_inverse_above(wide3_length(n2), 0.0f);
        n1 = wide3_scale(n1, inverse1), n2 = wide3_scale(n2, inverse2);
        wide d = wide_max(wide_min(wide3_dot(n1, n2), one), -one);
        wide sine = wide3_length(wide3_cross(n1, n2));
        wide_mask sound = wide_and(wide_less(wide_set(LEAST_SINE), sine), wide_less(zero, inverse1 * inverse2));

        wide value = wide_select(sound, wide_atan2(sine, d) - pli_rest(p, 0, slot), zero);
        wide scale = wide_select(sound, wide_inverse_above(sine, LEAST_SINE), zero);
        wide3 q3 = wide_printed_term(p2, n1, n2, d, inverse1), q4 = wide_printed_term(p2, n2, n1, d, inverse2);
        wide3 q2 = wide3_negate(
            wide3_add(wide_printed_term(p3, n1, n2, d, inverse1), wide_printed_term(p4, n2, n1, d, inverse2)));
        wide3 q1 = wide3_negate(wide3_add(q2, wide3_add(q3, q4)));
        wide3 gradients[4] = {wide3_scale(q1, scale), wide3_scale(q2, scale), wide3_scale(q3, scale),
                              wide3_scale(q4, scale)};
        pli_update_over(p, slot, 4, stencil, gradients, one, value, pli_weight(4, stencil, gradients),
                        p->parameters[DIHEDRAL_PRINTED_CHANGE_LIMIT]);
    }
}

static void dihedral_printed_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, dihedral_printed_loop);
}

static const pli_constraint_type dihedral_printed_type = {
    .name = "dihedral_printed",
    .label = PLI_TEXT("Dihedral angle, as printed"),
    .summary = PLI_TEXT(
        "Keeps the unsigned angle between faces by arccos, as printed in 2006; it does not act near flat and "
        "serves comparison."),
    .formula = PLI_TEXT("C = arccos(n1 . n2) - phi0"),
    .source = PLI_TEXT("Mueller et al. 2006, section 4.1 and appendix A, eqs. (24)-(28)"),
    .unit = "rad",
    .generator = "hinges",
    .cardinality = 4,
    .dimension = 1,
    .rest_count = 1,
    .bending = true,
    .parameters = dihedral_printed_parameters,
    .parameter_count = sizeof dihedral_printed_parameters / sizeof *dihedral_printed_parameters,
    .rest = dihedral_printed_rest,
    .evaluate = dihedral_printed_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_dihedral_printed) = PLI_ROW(dihedral_printed_type, dihedral_printed_project,
                                                                       0, 0);
