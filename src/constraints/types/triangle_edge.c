// Triangle bending on an edge: its midpoint is the virtual tip, whose correction goes to both ends.
//
//   Kelager, Niebe, Erleben 2010, section 4.1: b0 = p3, b1 = p4, v = (p1 + p2) / 2.
//   If the base does not pass through the midpoint, the height resists only in second order, so there is no rigidity to
//   assign.
//
//          p3               v - c = (p1 + p2 - p3 - p4) / 3
//        /    \             grad h: +n/3 at p1 and p2, -n/3 at p3 and p4
//      p1 --v-- p2
//        \    /
//          p4
#include "base/text.h"
#include "constraints/types/triangle_kernel.h"

enum { TRIANGLE_EDGE_RELATION, TRIANGLE_EDGE_KAPPA };

static const pli_property triangle_edge_parameters[] = {
    [TRIANGLE_EDGE_RELATION] = TRIANGLE_RELATION,
    [TRIANGLE_EDGE_KAPPA] = TRIANGLE_KAPPA,
};

static const double triangle_edge_sides[4] = {1.0 / 3.0, 1.0 / 3.0, -1.0 / 3.0, -1.0 / 3.0};

static pli_dvec3 triangle_edge_height(const pli_stencil *s)
{
    pli_dvec3 first = pli_dsub(pli_dmake(s->positions[0]), pli_dmake(s->positions[2]));
    pli_dvec3 second = pli_dsub(pli_dmake(s->positions[1]), pli_dmake(s->positions[3]));
    return pli_dscale(pli_dadd(first, second), 1.0 / 3.0);
}

static double triangle_edge_base(const pli_stencil *s)
{
    return pli_dlength(pli_dsub(pli_dmake(s->positions[3]), pli_dmake(s->positions[2])));
}

static bool triangle_edge_rest(const pli_stencil *s, float *rest_values)
{
    rest_values[0] = (float)pli_dlength(triangle_edge_height(s));
    return triangle_edge_base(s) > 0.0;
}

static void triangle_edge_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    pli_dvec3 d = triangle_edge_height(s);
    double height = pli_dlength(d);
    values[0] = height - ((double)s->rest[0] + (double)s->parameters[TRIANGLE_EDGE_KAPPA]);
    double inverse = height > 0.0 ? 1.0 / height : 0.0;
    for (int32_t k = 0; gradients && k < 4; k++) {
        gradients[3 * k] = triangle_edge_sides[k] * d.x * inverse;
        gradients[3 * k + 1] = triangle_edge_sides[k] * d.y * inverse;
        gradients[3 * k + 2] = triangle_edge_sides[k] * d.z * inverse;
    }
}

static const float triangle_edge_shares[4] = {1.0f / 3.0f, 1.0f / 3.0f, -1.0f / 3.0f, -1.0f / 3.0f};

PLI_LOOP triangle_edge_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    wide kappa = wide_set(p->parameters[TRIANGLE_EDGE_KAPPA]), third = wide_set(1.0f / 3.0f);
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        pli_bundle stencil[4];
        wide masses[4];
        pli_load_bundles(p, slot, 4, stencil, masses);
        pli_bundle along = pli_bundle_add(pli_bundle_subtract(stencil[0], stencil[2]),
                                          pli_bundle_subtract(stencil[1], stencil[3]));
        wide3 d = pli_bundle_vectors(along);
        wide length = wide3_length(d);
        wide value = length * third - (pli_rest(p, 0, slot) + kappa);
        wide weight = (masses[0] + masses[1] + masses[2] + masses[3]) * wide_set(1.0f / 9.0f);
        pli_update_bundles(p, slot, 4, stencil, masses, &along, d, length, triangle_edge_shares, value, weight);
    }
}

static void triangle_edge_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, triangle_edge_loop);
}

static const pli_constraint_type triangle_edge_type = {
    .name = "triangle_edge",
    .label = PLI_TEXT("Triangle on edges"),
    .summary = PLI_TEXT(
        "Resists bending by a triangle over each shared edge, with its tip at the midpoint of the edge."),
    .formula = PLI_TEXT("C = |p1 + p2 - p3 - p4| / 3 - (h0 + kappa)"),
    .source = PLI_TEXT("Kelager, Niebe, Erleben 2010, section 4.1"),
    .unit = "m",
    .generator = "hinges",
    .cardinality = 4,
    .dimension = 1,
    .rest_count = 1,
    .bending = true,
    .sense_parameter = "relation",
    .parameters = triangle_edge_parameters,
    .parameter_count = sizeof triangle_edge_parameters / sizeof *triangle_edge_parameters,
    .rest = triangle_edge_rest,
    .evaluate = triangle_edge_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_triangle_edge) = PLI_ROW(triangle_edge_type, triangle_edge_project, 0, 0);
