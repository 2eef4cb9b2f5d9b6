// Isometric bending as a vector constraint: cotangent weights on a hinge, one projection to flat. Stencil in hinge.h.
//
//   Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces, with Q = c K K^T.
//   K = (c03 + c04, c01 + c02, -c01 - c03, -c02 - c04) on (p1, p2, p3, p4), the
//   c's cotangents of the angles between the edge and the sides. The rigidity omits the published factor 3, which is
//   3 times too stiff compared with (B/2) integral of H^2 (docs/errata.md, bending energy).
#include "base/text.h"
#include "constraints/solve_parameter.h"
#include "constraints/types/hinge.h"
#include "constraints/types/linear_form.h"

// N1/A1 + N2/A2 at rest, which is parallel to s: minus K of p3 and p4 are the edge divided by the heights of the faces.
static const linear_form isometric_form = {.base = 0, .a = {0, 1}, .sides = {0.0f, 0.0f, -1.0f, 1.0f}, .times_k = true};

enum { ISOMETRIC_YIELD, ISOMETRIC_HARDENING, ISOMETRIC_SOLVE };

static const pli_property isometric_parameters[] = {
    [ISOMETRIC_YIELD] = PLI_YIELD,
    [ISOMETRIC_HARDENING] = PLI_HARDENING,
    [ISOMETRIC_SOLVE] = PLI_SOLVE_PARAMETER,
};

static bool isometric_rest(const pli_stencil *s, float *rest_values)
{
    hinge_wings h = hinge_of(s);
    if (!hinge_weights(s, &h, rest_values))
        return false;
    linear_rest_length(s, &isometric_form, h.edge_length, rest_values);
    return true;
}

static void isometric_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    linear_evaluate(s, &isometric_form, values, gradients);
}

static float isometric_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    hinge_wings h = hinge_of(s);
    return (float)hinge_area(&h);
}

// |s| is the curvature times the area of the hinge.
static double isometric_bend(const pli_stencil *s, const pli_stencil *at_rest, double *rest_per_bend)
{
    hinge_wings h = hinge_of(at_rest);
    *rest_per_bend = hinge_area(&h);
    return linear_excess(s, &isometric_form) / *rest_per_bend;
}

PLI_LOOP isometric_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    linear_project(p, begin, end, &isometric_form);
}

static void isometric_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, isometric_loop);
}

static const pli_constraint_type isometric_type = {
    .name = "isometric",
    .label = PLI_TEXT("Isometric"),
    .summary = PLI_TEXT(
        "Resists bending of sheets that hardly stretch, in proportion to curvature; cheap and linear, for cloth."),
    .formula = PLI_TEXT("C = sum K_i x_i (a vector; for curved rest shapes minus s0 along the normal)"),
    .source = PLI_TEXT("Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces"),
    .unit = "m",
    .generator = "hinges",
    .cardinality = 4,
    .dimension = 3,
    .rest_count = LINEAR_RESTS,
    .bending = true,
    .parameters = isometric_parameters,
    .parameter_count = sizeof isometric_parameters / sizeof *isometric_parameters,
    .rest = isometric_rest,
    .evaluate = isometric_evaluate,
    .compliance_scale = isometric_compliance_scale,
    .bend = isometric_bend,
    .bend_rest = LINEAR_S0,
};

const pli_constraint_row PLI_NAMED(pli_row_isometric) = PLI_ROW(isometric_type, isometric_project, 0, 0);
