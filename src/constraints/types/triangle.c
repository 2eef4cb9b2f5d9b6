// Triangle bending: the height of v over the centroid of three vertices.
//
//   Kelager, Niebe, Erleben 2010, eqs. (3)-(9), in the stencil of triangle_kernel.h.
//   C = h - (h0 + kappa); relation `equal` is eq. (5), the other two are readings of eq. (4):
//   printed, "at_least"; as its figures show it, "at_most" (docs/errata.md E2).
//   `printed` weights are (8)-(9); `exact` ones divide by sum w |grad C|^2 (E1).
#include "base/text.h"
#include "constraints/solve_parameter.h"
#include "constraints/types/triangle_kernel.h"
#include "constraints/types/triangle_parameters.h"

enum { WEIGHTS_EXACT, WEIGHTS_PRINTED };

static const pli_choice weight_choices[] = {
    {"exact", PLI_TEXT("Exact"), PLI_TEXT("Corrections are divided by the weighted square of the gradient.")},
    {"printed", PLI_TEXT("As printed"),
     PLI_TEXT("Corrections follow eqs. (8)-(9), which are exact only for equal masses.")},
    {0},
};

static const pli_property triangle_parameters[] = {
    [TRIANGLE_SENSE] = TRIANGLE_RELATION,
    [TRIANGLE_WEIGHTS] =
        {.name = "weights",
         .label = PLI_TEXT("Weights"),
         .unit = "",
         .summary = PLI_TEXT(
             "Whether weights are exact or those printed in eqs. (8)-(9), which are exact only for equal "
             "masses."),
         .kind = PLI_PROPERTY_CHOICE,
         .maximum = 1,
         .choices = weight_choices,
         .section = "advanced"},
    [TRIANGLE_PLAY] = TRIANGLE_KAPPA,
    [TRIANGLE_YIELD] = PLI_YIELD,
    [TRIANGLE_HARDENING] = PLI_HARDENING,
    [TRIANGLE_SOLVE] = PLI_SOLVE_PARAMETER,
};

static bool triangle_rest(const pli_stencil *s, float *rest_values)
{
    rest_values[0] = (float)pli_dlength(triangle_height(s));
    return triangle_base(s) > 0.0;
}

static void triangle_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    pli_dvec3 d = triangle_height(s);
    double height = pli_dlength(d);
    values[0] = height - ((double)s->rest[0] + (double)s->parameters[TRIANGLE_PLAY]);
    if (gradients)
        triangle_gradients(height > 0.0 ? pli_dscale(d, 1.0 / height) : (pli_dvec3){0}, gradients);
}

static float triangle_compliance_scale(const pli_stencil *s, const float *rest_values)
{
    (void)rest_values;
    return triangle_scale_over(triangle_base(s), s->area);
}

// The curvature is 12 h / L^2 over the chord L.
static double triangle_bend(const pli_stencil *s, const pli_stencil *at_rest, double *rest_per_bend)
{
    double excess, base = triangle_base(at_rest);
    triangle_evaluate(s, &excess, NULL);
    *rest_per_bend = base * base / 12.0;
    return excess / *rest_per_bend;
}

PLI_LOOP triangle_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    bool printed = p->parameters[TRIANGLE_WEIGHTS] == (float)WEIGHTS_PRINTED;
    wide kappa = wide_set(p->parameters[TRIANGLE_PLAY]);
    wide factor = wide_set(printed ? 2.0f : 4.0f);
    wide divisor = wide_set(printed ? 1.0f / 6.0f : 1.0f / 9.0f);
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        pli_bundle stencil[3];
        wide masses[3];
        pli_load_bundles(p, slot, 3, stencil, masses);
        pli_bundle along = pli_bundle_add(pli_bundle_subtract(stencil[2], stencil[0]),
                                          pli_bundle_subtract(stencil[2], stencil[1]));
        wide3 d = pli_bundle_vectors(along);
        wide length = wide3_length(d);
        wide value = length * wide_set(1.0f / 3.0f) - (pli_rest(p, 0, slot) + kappa);
        wide weight = (masses[0] + masses[1] + factor * masses[2]) * divisor;
        pli_update_bundles(p, slot, 3, stencil, masses, &along, d, length, triangle_shares, value, weight);
    }
}

static void triangle_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, triangle_loop);
}

static const pli_constraint_type triangle_type = {
    .name = "triangle",
    .label = PLI_TEXT("Triangle"),
    .summary = PLI_TEXT(
        "Keeps each vertex at its rest distance from the centroid of itself and an opposite pair of neighbours; "
        "fast, cannot tell up from down."),
    .formula = PLI_TEXT("C = |v - c| - (h0 + kappa), c = (b0 + b1 + v) / 3"),
    .source = PLI_TEXT("Kelager, Niebe, Erleben 2010, eqs. (3)-(9)"),
    .unit = "m",
    .generator = "triples",
    .cardinality = 3,
    .dimension = 1,
    .rest_count = 1,
    .bending = true,
    .sense_parameter = "relation",
    .parameters = triangle_parameters,
    .parameter_count = sizeof triangle_parameters / sizeof *triangle_parameters,
    .rest = triangle_rest,
    .evaluate = triangle_evaluate,
    .compliance_scale = triangle_compliance_scale,
    .bend = triangle_bend,
    .bend_rest = 0,
};

const pli_constraint_row PLI_NAMED(pli_row_triangle) = PLI_ROW(triangle_type, triangle_project, 0, 0);
