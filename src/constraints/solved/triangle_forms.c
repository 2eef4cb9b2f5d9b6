// Solved triples, of constraints/types/triangle.c and triangle_linear.c.
//
//   triangle          s = v - c; t = (h0 + kappa) s / |s| is the nearest point without energy, or s itself where the relation
//                     permits it. A triple that is exactly straight has no bending direction, and none is chosen.
//   triangle_linear   t = s0 along the normal of the face b0 b1 c, which rotates with it.
#include "constraints/solved/solved_form.h"
#include "constraints/types/triangle_parameters.h"

/* ---- triangle ----------------------------------------------------------------------------------- */

static bool make_triangle(const pli_stencil *s, double *weights, double *measure, float *shape)
{
    weights[0] = weights[1] = -1.0 / 3.0, weights[2] = 2.0 / 3.0;
    *measure = 1.0;
    shape[0] = s->rest[0];
    return true;
}

static pli_vec3 excess_of_triangle(const pli_bent *b)
{
    const float height = b->shape[0] + b->parameters[TRIANGLE_PLAY], length = pli_length(b->sum);
    const pli_sense sense = (pli_sense)(int32_t)b->parameters[TRIANGLE_SENSE];
    const bool kept = (sense == PLI_SENSE_AT_MOST && length <= height) ||
                      (sense == PLI_SENSE_AT_LEAST && length >= height);
    if (kept || !(length > 0.0f))
        return (pli_vec3){0.0f, 0.0f, 0.0f};
    return pli_scale(b->sum, 1.0f - height / length);
}

static bool is_plain_triangle(const float *parameters)
{
    return parameters[TRIANGLE_PLAY] == 0.0f && (pli_sense)(int32_t)parameters[TRIANGLE_SENSE] != PLI_SENSE_AT_LEAST;
}

const pli_solved_form pli_form_triangle = {"triangle", make_triangle, excess_of_triangle, is_plain_triangle};

/* ---- triangle, linear --------------------------------------------------------------------------- */

enum { TRIANGLE_S0 = 3, TRIANGLE_LEAST = 4 }; // Rest values, after K of b0, b1 and c.

static bool make_linear(const pli_stencil *s, double *weights, double *measure, float *shape)
{
    weights[0] = (double)s->rest[0], weights[1] = (double)s->rest[1], weights[3] = (double)s->rest[2];
    weights[2] = -(weights[0] + weights[1] + weights[3]);
    *measure = 1.0;
    shape[0] = s->rest[TRIANGLE_S0], shape[1] = s->rest[TRIANGLE_S0] != 0.0f ? s->rest[TRIANGLE_LEAST] : 0.0f;
    return true;
}

static pli_vec3 excess_of_linear(const pli_bent *b)
{
    const pli_vec3 origin = pli_bent_at(b, 0);
    const pli_vec3 normal = pli_cross(pli_sub(pli_bent_at(b, 1), origin), pli_sub(pli_bent_at(b, 3), origin));
    const float reach = pli_length(normal), divisor = reach > b->shape[1] ? reach : b->shape[1];
    return divisor > 0.0f ? pli_sub(b->sum, pli_scale(normal, b->shape[0] / divisor)) : b->sum;
}

static bool triangle_form_applies(const float *parameters)
{
    (void)parameters;
    return true;
}

const pli_solved_form pli_form_triangle_linear = {"triangle_linear", make_linear, excess_of_linear,
                                                  triangle_form_applies};
