// Triangle bending as a linear form that keeps its resistance on irregular meshes.
//
//   The remedy for docs/errata.md E8: weights along the chord b0 b1 instead of the centroid's
//   thirds. v need not lie on the chord, so a third neighbour c joins with the weight that makes
//   the form vanish in the flat rest shape: v = a b0 + b b1 + g c (docs/decisions/bending.md).
//   On a straight triple g is 0 and a = 1 - t, b = t are the chord weights.
//
//          c                s = v - a b0 - b b1 - g c
//          |  v             order of particles: b0, b1, v, c
//       b0 ------ b1
#include "base/text.h"
#include "constraints/solve_parameter.h"
#include "constraints/types/linear_form.h"

// Height of c over the chord, as a fraction of it, below which c cannot carry a weight.
#define TRIANGLE_LINEAR_LEAST_HEIGHT 1e-3
// Offsets of v from the chord below this fraction of it count as straight.
#define TRIANGLE_LINEAR_STRAIGHT 1e-4

// The normal of the face b0 b1 c.
static const linear_form triangle_linear_form = {.base = 2, .a = {0, 1}, .sides = {0.0f, 0.0f, 0.0f, 1.0f}};

enum { TRIANGLE_LINEAR_YIELD, TRIANGLE_LINEAR_HARDENING, TRIANGLE_LINEAR_SOLVE };

static const pli_property triangle_linear_parameters[] = {
    [TRIANGLE_LINEAR_YIELD] = PLI_YIELD,
    [TRIANGLE_LINEAR_HARDENING] = PLI_HARDENING,
    [TRIANGLE_LINEAR_SOLVE] = PLI_SOLVE_PARAMETER,
};

static bool triangle_linear_rest(const pli_stencil *s, float *rest_values)
{
    pli_dvec3 b0 = pli_dmake(s->positions[0]);
    pli_dvec3 chord = pli_dsub(pli_dmake(s->positions[1]), b0);
    pli_dvec3 tip = pli_dsub(pli_dmake(s->positions[2]), b0), third = pli_dsub(pli_dmake(s->positions[3]), b0);
    double square = pli_ddot(chord, chord);
    if (!(square > 0.0))
        return false;

    // In-plane coordinates along the chord and towards c.
    pli_dvec3 across = pli_dsub(third, pli_dscale(chord, pli_ddot(third, chord) / square));
    double reach = pli_ddot(across, across);
    double offset = reach > 0.0 ? pli_ddot(tip, across) / reach : 0.0;
    if (fabs(offset) * sqrt(reach) <= TRIANGLE_LINEAR_STRAIGHT * sqrt(square))
        offset = 0.0;
    else if (!(reach > TRIANGLE_LINEAR_LEAST_HEIGHT * TRIANGLE_LINEAR_LEAST_HEIGHT * square))
        return false;
    double along = (pli_ddot(tip, chord) - offset * pli_ddot(third, chord)) / square;
    rest_values[0] = (float)(along + offset - 1.0);
    rest_values[1] = (float)-along;
    rest_values[2] = (float)-offset;
    linear_rest_length(s, &triangle_linear_form, sqrt(square), rest_values);
    return true;
}

static void triangle_linear_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    linear_evaluate(s, &triangle_linear_form, values, gradients);
}

// |s| is the height over the chord: the sagitta, two thirds of which is the h of triangle.c.
static float triangle_linear_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    double base = pli_dlength(pli_dsub(pli_dmake(s->positions[1]), pli_dmake(s->positions[0])));
    double flat_certificate = s->area > 0.0 ? s->area : 0.25 * base * base;
    return (float)(base * base * base * base / (64.0 * flat_certificate));
}

static double triangle_linear_bend(const pli_stencil *s, const pli_stencil *at_rest, double *rest_per_bend)
{
    double base = pli_dlength(pli_dsub(pli_dmake(at_rest->positions[1]), pli_dmake(at_rest->positions[0])));
    *rest_per_bend = base * base / 8.0;
    return linear_excess(s, &triangle_linear_form) / *rest_per_bend;
}

PLI_LOOP triangle_linear_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    linear_project(p, begin, end, &triangle_linear_form);
}

static void triangle_linear_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, triangle_linear_loop);
}

static const pli_constraint_type triangle_linear_type = {
    .name = "triangle_linear",
    .label = PLI_TEXT("Triangle, linear"),
    .summary = PLI_TEXT(
        "Resists bending by the triangle as a linear form along its chord; signed, keeps its resistance on "
        "irregular meshes."),
    .formula = PLI_TEXT("C = v - a b0 - b b1 - g c (a vector; for curved rest shapes minus s0 along the normal)"),
    .source = PLI_TEXT("after Kelager, Niebe, Erleben 2010, with weights of the rest shape (errata E8)"),
    .unit = "m",
    .generator = "triples_linear",
    .cardinality = 4,
    .dimension = 3,
    .rest_count = LINEAR_RESTS,
    .bending = true,
    .parameters = triangle_linear_parameters,
    .parameter_count = sizeof triangle_linear_parameters / sizeof *triangle_linear_parameters,
    .rest = triangle_linear_rest,
    .evaluate = triangle_linear_evaluate,
    .compliance_scale = triangle_linear_compliance_scale,
    .bend = triangle_linear_bend,
    .bend_rest = LINEAR_S0,
};

const pli_constraint_row PLI_NAMED(pli_row_triangle_linear) = PLI_ROW(triangle_linear_type, triangle_linear_project, 0,
                                                                      0);
