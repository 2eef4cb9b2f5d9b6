// Isometric bending with the energy itself as the constraint, as in the textbook chapter. Stencil in hinge.h.
//
//   Bergou et al. 2006 in position-based form: C = E - E0, E = (c/2) |sum K_i x_i|^2, c = 3/(A1+A2).
//   The root is double: each full projection only halves the bend (docs/errata.md E16). Kept for comparison; prefer
//   `isometric`.
#include "base/text.h"
#include "constraints/types/hinge.h"

enum { ISOMETRIC_FACTOR = 3, ISOMETRIC_ENERGY = 4 };

static pli_dvec3 isometric_energy_sum(const pli_stencil *s, const float *rest_values)
{
    pli_dvec3 sum = {0}, origin = pli_dmake(s->positions[0]);
    for (int32_t k = 1; k < 4; k++)
        sum = pli_dadd(sum, pli_dscale(pli_dsub(pli_dmake(s->positions[k]), origin), (double)rest_values[k - 1]));
    return sum;
}

static bool isometric_energy_rest(const pli_stencil *s, float *rest_values)
{
    hinge_wings h = hinge_of(s);
    if (!hinge_weights(s, &h, rest_values))
        return false;
    rest_values[ISOMETRIC_FACTOR] = (float)(3.0 / hinge_area(&h));
    pli_dvec3 sum = isometric_energy_sum(s, rest_values);
    rest_values[ISOMETRIC_ENERGY] = 0.5f * rest_values[ISOMETRIC_FACTOR] * (float)pli_ddot(sum, sum);
    return isfinite(rest_values[ISOMETRIC_FACTOR]) && isfinite(rest_values[ISOMETRIC_ENERGY]);
}

static void isometric_energy_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    pli_dvec3 sum = isometric_energy_sum(s, s->rest);
    double factor = (double)s->rest[ISOMETRIC_FACTOR];
    values[0] = 0.5 * factor * pli_ddot(sum, sum) - (double)s->rest[ISOMETRIC_ENERGY];
    if (!gradients)
        return;
    double first = 0.0;
    for (int32_t k = 1; k < 4; k++)
        first -= (double)s->rest[k - 1];
    for (int32_t k = 0; k < 4; k++) {
        pli_dvec3 g = pli_dscale(sum, factor * (k == 0 ? first : (double)s->rest[k - 1]));
        gradients[3 * k] = g.x, gradients[3 * k + 1] = g.y, gradients[3 * k + 2] = g.z;
    }
}

PLI_LOOP isometric_energy_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[4];
        wide weights[4] = {wide_set(0.0f)};
        wide3 sum = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)}, gradients[4];
        pli_load_stencil(p, slot, 4, stencil);
        for (int32_t k = 1; k < 4; k++) {
            weights[k] = pli_rest(p, k - 1, slot);
            weights[0] = weights[0] - weights[k];
            sum = wide3_add_scaled(sum, wide3_sub(stencil[k].x, stencil[0].x), weights[k]);
        }
        wide factor = pli_rest(p, ISOMETRIC_FACTOR, slot);
        for (int32_t k = 0; k < 4; k++)
            gradients[k] = wide3_scale(sum, factor * weights[k]);
        wide value = wide_set(0.5f) * factor * wide3_dot(sum, sum) - pli_rest(p, ISOMETRIC_ENERGY, slot);
        pli_update(p, slot, 4, stencil, gradients, value);
    }
}

static void isometric_energy_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, isometric_energy_loop);
}

static const pli_constraint_type isometric_energy_type = {
    .name = "isometric_energy",
    .label = PLI_TEXT("Isometric, as energy"),
    .summary = PLI_TEXT("Resists bending by the isometric energy as printed in the chapter; it converges slowly and "
                        "serves comparison."),
    .formula = PLI_TEXT("C = (c/2) |sum K_i x_i|^2 - E0, c = 3 / (A1 + A2)"),
    .source = PLI_TEXT("Bergou et al. 2006, as a PBD constraint in the textbook chapter"),
    .unit = "1",
    .generator = "hinges",
    .cardinality = 4,
    .dimension = 1,
    .rest_count = 5,
    .bending = true,
    .rest = isometric_energy_rest,
    .evaluate = isometric_energy_evaluate,
};

const pli_constraint_row PLI_NAMED(pli_row_isometric_energy) = PLI_ROW(isometric_energy_type, isometric_energy_project,
                                                                       0, 0);
