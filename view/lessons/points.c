#include "lessons/points.h"

#include <math.h>
#include <string.h>

void pli_view_points_begin(pli_view_points *p, const char *type)
{
    static const double triangle[3][2] = {{-1.0, 0.0}, {1.0, 0.0}, {0.0, 0.6}}, tips[2][2] = {{-1.0, 0.0}, {1.0, 0.0}};
    const bool is_triangle = strcmp(type, "triangle") == 0;
    *p = (pli_view_points){.type = type, .count = is_triangle ? 3 : 2, .weights = {1.0, 1.0, 1.0}};
    memcpy(p->rest, is_triangle ? triangle : tips, is_triangle ? sizeof triangle : sizeof tips);
    memcpy(p->now, p->rest, sizeof p->now);
    // Not at rest, so that there is something to see.
    p->now[p->count - 1][is_triangle ? 1 : 0] += 0.45;
}

// The type's own parameters, with kappa where it has one.
static void parameters_of(const pli_constraint_type *type, double kappa, float values[PLI_PARAMETERS_MAX])
{
    for (int32_t i = 0; i < type->parameter_count && i < PLI_PARAMETERS_MAX; i++)
        values[i] = (float)(strcmp(type->parameters[i].name, "kappa") == 0 ? kappa : type->parameters[i].initial);
}

// C and its gradient by the functions of the constraint type.
static bool evaluate(const pli_view_points *p, double *value, double gradients[PLI_VIEW_POINTS_MOST][3])
{
    const pli_constraint_type *type = pli_constraint_type_find(p->type);
    double rest[PLI_VIEW_POINTS_MOST][3] = {{0}}, now[PLI_VIEW_POINTS_MOST][3] = {{0}};
    float parameters[PLI_PARAMETERS_MAX] = {0}, at_rest[PLI_REST_MAX] = {0};
    for (int32_t i = 0; i < p->count; i++)
        for (int k = 0; k < 2; k++)
            rest[i][k] = p->rest[i][k], now[i][k] = p->now[i][k];
    parameters_of(type, p->kappa, parameters);
    pli_stencil s = {.positions = rest, .count = p->count, .parameters = parameters};
    if (!type->rest(&s, at_rest))
        return false;
    s.positions = now, s.rest = at_rest, s.state = 1.0f;
    type->evaluate(&s, value, &gradients[0][0]);
    return isfinite(*value);
}

static bool is_violated(const pli_view_points *p, double value)
{
    return p->relation == PLI_SENSE_AT_MOST ? value > 0.0 : p->relation == PLI_SENSE_AT_LEAST ? value < 0.0 : true;
}

// The formulas of the tutorial: of the height over three points, with W = w_b0 + w_b1 + 4 w_v, or of the distance of two tips.
static double by_hand(const pli_view_points *p, double *target, double moves[PLI_VIEW_POINTS_MOST][2])
{
    const double *a = p->now[0], *b = p->now[1], *w = p->weights;
    double d[2], rest[2];
    for (int k = 0; k < 2; k++) {
        d[k] = p->count == 3 ? p->now[2][k] - (a[k] + b[k] + p->now[2][k]) / 3.0 : b[k] - a[k];
        rest[k] = p->count == 3 ? p->rest[2][k] - (p->rest[0][k] + p->rest[1][k] + p->rest[2][k]) / 3.0
                                : p->rest[1][k] - p->rest[0][k];
    }
    const double length = hypot(d[0], d[1]);
    *target = hypot(rest[0], rest[1]) + (p->count == 3 ? p->kappa : 0.0);
    const double value = length - *target, sum = p->count == 3 ? w[0] + w[1] + 4.0 * w[2] : w[0] + w[1];
    static const double shares[2][PLI_VIEW_POINTS_MOST] = {{1.0, -1.0, 0.0}, {3.0, 3.0, -6.0}};
    for (int32_t i = 0; i < p->count; i++)
        for (int k = 0; k < 2; k++)
            moves[i][k] = length > 0.0 && sum > 0.0 ? shares[p->count == 3][i] * value * w[i] / sum * d[k] / length
                                                    : 0.0;
    return value;
}

pli_view_projection pli_view_points_project(const pli_view_points *p)
{
    pli_view_projection r = {0};
    double gradients[PLI_VIEW_POINTS_MOST][3] = {{0}}, hand[PLI_VIEW_POINTS_MOST][2] = {{0}}, sum = 0.0;
    r.by_hand = by_hand(p, &r.target, hand);
    if (!evaluate(p, &r.value, gradients))
        return r;
    for (int32_t i = 0; i < p->count; i++)
        sum += p->weights[i] * (gradients[i][0] * gradients[i][0] + gradients[i][1] * gradients[i][1]);
    r.acts = is_violated(p, r.value) && sum > 0.0;
    r.apart = fabs(r.value - r.by_hand);
    double momentum[2] = {0};
    for (int32_t i = 0; i < p->count && r.acts; i++)
        for (int k = 0; k < 2; k++) {
            r.moves[i][k] = -r.value / sum * p->weights[i] * gradients[i][k];
            momentum[k] += p->weights[i] > 0.0 ? r.moves[i][k] / p->weights[i] : 0.0;
            r.apart = fmax(r.apart, fabs(r.moves[i][k] - hand[i][k]));
        }
    r.momentum = hypot(momentum[0], momentum[1]);
    return r;
}
