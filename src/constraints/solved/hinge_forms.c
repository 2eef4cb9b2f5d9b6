// Solved hinges: Bergou's K of constraints/types/hinge.h, with |K x| = 2 |e| sin(theta / 2) at a fold of theta, along the bisector m of
// the normals of both faces.
//
//   isometric   t = s0 m, the rest vector rotated with the hinge; the rest state is the one of the swept type.
//   dihedral    f = m |e| (theta - theta0) / cos(theta / 2), with the moment about the edge of (theta - theta0)^2 / 2; g = |e|^2.
//               Its stiffness in s is 1 / cos^2 at rest and increases with the fold. The matrix exceeds the rest stiffness by MARGIN,
//               and f is limited to what the matrix can hold, beyond about 85 degrees from rest. The gradient of the angle along the
//               faces is omitted: it only adds to their stretch. The part of s across m is resisted as by `isometric`; faces that
//               keep their shape have none, and without this resistance a box gained energy.
#include "constraints/solved/solved_form.h"
#include "constraints/types/hinge.h"
#include "base/simd/wide_angle.h"

// Stiffness of the matrix over the rest stiffness, and maximum secant stiffness from rest over that of the matrix; 4/3 is unstable.
#define HINGE_MARGIN 1.2
#define MOST 1.25f
// Minimum squared cosine of half the rest angle, at 157 degrees.
#define LEAST_SQUARE 0.04

enum { HINGE_S0 = 3, HINGE_LEAST = 4 }; // Rest values of `isometric`, after K of p2, p3 and p4.
enum { ANGLE, EDGE, HINGE_STIFFNESS };  // Shape of `dihedral`: theta0, |e| and the matrix's stiffness in s.
enum { LENGTH, SHORTEST, PER_HEIGHT };  // Shape of `isometric`: s0, the minimum divisor, and K of p3 over that of p4.

/* ---- isometric ---------------------------------------------------------------------------------- */

static void put_weights(const float *others, double weights[4])
{
    weights[0] = 0.0;
    for (int32_t k = 1; k < 4; k++)
        weights[0] -= weights[k] = (double)others[k - 1];
}

static bool make_isometric(const pli_stencil *s, double *weights, double *measure, float *shape)
{
    put_weights(s->rest, weights);
    *measure = 1.0;
    shape[LENGTH] = s->rest[HINGE_S0];
    shape[SHORTEST] = s->rest[HINGE_S0] != 0.0f ? s->rest[HINGE_LEAST] / (float)fabs(weights[3]) : 0.0f;
    shape[PER_HEIGHT] = s->rest[HINGE_S0] != 0.0f ? (float)(weights[2] / weights[3]) : 0.0f;
    return true;
}

// The normal of linear_form.h, divided by K of p4.
static pli_vec3 excess_of_isometric(const pli_bent *b)
{
    const pli_vec3 origin = pli_bent_at(b, 0), edge = pli_sub(pli_bent_at(b, 1), origin);
    const pli_vec3 side3 = pli_sub(pli_bent_at(b, 2), origin), side4 = pli_sub(pli_bent_at(b, 3), origin);
    const pli_vec3 normal = pli_cross(edge, pli_sub(pli_scale(side3, b->shape[PER_HEIGHT]), side4));
    const float reach = pli_length(normal), divisor = reach > b->shape[SHORTEST] ? reach : b->shape[SHORTEST];
    return divisor > 0.0f ? pli_sub(b->sum, pli_scale(normal, b->shape[LENGTH] / divisor)) : b->sum;
}

static bool hinge_form_applies(const float *parameters)
{
    (void)parameters;
    return true;
}

const pli_solved_form pli_form_isometric = {"isometric", make_isometric, excess_of_isometric, hinge_form_applies};

/* ---- dihedral ----------------------------------------------------------------------------------- */

static bool make_dihedral(const pli_stencil *s, double *weights, double *measure, float *shape)
{
    hinge_wings h = hinge_of(s);
    float others[3];
    if (!hinge_weights(s, &h, others))
        return false;
    put_weights(others, weights);
    const double square = 0.5 + 0.5 * pli_ddot(h.normal1, h.normal2) / sqrt(h.square1 * h.square2);
    const double stiffness = HINGE_MARGIN / fmax(square, LEAST_SQUARE);
    *measure = h.edge_length * h.edge_length / stiffness;
    shape[ANGLE] = s->rest[0], shape[EDGE] = (float)h.edge_length, shape[HINGE_STIFFNESS] = (float)stiffness;
    return true;
}

// Approximates sin(theta0 / 2), only for the bound: the digits of library functions differ between machines.
static float sine_of_half(float angle)
{
    const float x = 0.5f * angle, square = x * x;
    return x * (1.0f - square * (1.0f / 6.0f) * (1.0f - square * (1.0f / 20.0f) * (1.0f - square * (1.0f / 42.0f))));
}

static pli_vec3 excess_of_dihedral(const pli_bent *b)
{
    const pli_vec3 none = {0.0f, 0.0f, 0.0f}, origin = pli_bent_at(b, 0);
    const pli_vec3 edge = pli_sub(pli_bent_at(b, 1), origin);
    const pli_vec3 first = pli_cross(edge, pli_sub(pli_bent_at(b, 2), origin));
    const pli_vec3 second = pli_cross(pli_sub(pli_bent_at(b, 3), origin), edge);
    const float one = pli_length(first), other = pli_length(second);
    if (!(one > 0.0f && other > 0.0f))
        return none;
    const pli_vec3 n1 = pli_scale(first, 1.0f / one), n2 = pli_scale(second, 1.0f / other);
    const pli_vec3 along = pli_add(n1, n2), across = pli_sub(n2, n1);
    const float cosine = 0.5f * pli_length(along), up = pli_dot(pli_cross(n1, n2), edge);
    const float sine = (up < 0.0f ? -0.5f : 0.5f) * pli_length(across);
    if (!(cosine > 0.0f))
        return none;
    const float beyond = 2.0f * wide_atan2(sine, cosine) - b->shape[ANGLE];
    const float stiffness = b->shape[HINGE_STIFFNESS];
    const float bound = MOST * stiffness * fabsf(2.0f * (sine - sine_of_half(b->shape[ANGLE])));
    float pull = beyond / cosine;
    pull = pull > bound ? bound : pull < -bound ? -bound : pull;
    const pli_vec3 middle = pli_scale(along, 0.5f / cosine);
    const pli_vec3 aside = pli_sub(b->sum, pli_scale(middle, pli_dot(b->sum, middle)));
    return pli_add(pli_scale(middle, b->shape[EDGE] * pull / stiffness), pli_scale(aside, 1.0f / stiffness));
}

static bool never(const float *parameters)
{
    (void)parameters;
    return false;
}

const pli_solved_form pli_form_dihedral = {"dihedral", make_dihedral, excess_of_dihedral, never};
