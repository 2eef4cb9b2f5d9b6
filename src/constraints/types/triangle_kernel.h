// Stencil, gradients and rigidity shared by the forms of triangle bending.
//
//   Kelager, Niebe, Erleben 2010, A Triangle Bending Constraint Model for Position-Based Dynamics,
//   eqs. (3)-(9).
//
//            v              c = (b0 + b1 + v) / 3,  d = v - c,  h = |d|
//           /|\             n = d / h
//          / c \            grad h: -n/3 at b0, -n/3 at b1, +2n/3 at v
//        b0-----b1
#ifndef PLI_CONSTRAINTS_TYPES_TRIANGLE_KERNEL_H
#define PLI_CONSTRAINTS_TYPES_TRIANGLE_KERNEL_H

#include "base/text.h"
#include "base/vector.h"
#include "constraints/kernel.h"

// The relations of the height to its target, in the order of pli_sense.
static const pli_choice triangle_relations[] = {
    {"equal", PLI_TEXT("Equal"), PLI_TEXT("The height is held.")},
    {"at_most", PLI_TEXT("At most"), PLI_TEXT("The height is only stopped from growing.")},
    {"at_least", PLI_TEXT("At least"), PLI_TEXT("The height is only stopped from shrinking.")},
    {0},
};

#define TRIANGLE_RELATION                                                                                              \
    {                                                                                                                  \
        .name = "relation", .label = PLI_TEXT("Keeps the height"), .unit = "",                                         \
        .summary = PLI_TEXT("Whether the height stays at h0 + kappa, at most there, or at least there."),              \
        .kind = PLI_PROPERTY_CHOICE, .maximum = 2, .choices = triangle_relations                                       \
    }
#define TRIANGLE_KAPPA                                                                                                 \
    {                                                                                                                  \
        .name = "kappa", .label = PLI_TEXT("Kappa"), .unit = "m",                                                      \
        .summary = PLI_TEXT("Addition to the rest height; useful values are a fraction of the edge length."),          \
        .help = PLI_TEXT(                                                                                              \
            "Adds to the height each corner keeps over its neighbours. With \"at most\", it is play: corners may "     \
            "bulge that far before anything pulls back."),                                                             \
        .maximum = 1e6, .soft_maximum = 0.4, .soft_unit = PLI_SOFT_MEAN_EDGE, .scale = PLI_SLIDER_SQUARE               \
    }

// v - c, from differences of positions.
static inline pli_dvec3 triangle_height(const pli_stencil *s)
{
    pli_dvec3 v = pli_dmake(s->positions[2]);
    pli_dvec3 sum = pli_dadd(pli_dsub(v, pli_dmake(s->positions[0])), pli_dsub(v, pli_dmake(s->positions[1])));
    return pli_dscale(sum, 1.0 / 3.0);
}

static inline double triangle_base(const pli_stencil *s)
{
    return pli_dlength(pli_dsub(pli_dmake(s->positions[1]), pli_dmake(s->positions[0])));
}

static inline void triangle_gradients(pli_dvec3 n, double *gradients)
{
    const double factors[3] = {-1.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0};
    for (int32_t k = 0; k < 3; k++) {
        gradients[3 * k] = factors[k] * n.x;
        gradients[3 * k + 1] = factors[k] * n.y;
        gradients[3 * k + 2] = factors[k] * n.z;
    }
}

// The sagitta is 1.5 h over the chord L, so the curvature is 12 h / L^2 and the energy (B/2) (12 h / L^2)^2 A:
// compliance L^4 / (144 A B).
static inline float triangle_scale_over(double base, double area)
{
    double flat_certificate = area > 0.0 ? area : 0.25 * base * base;
    return (float)(base * base * base * base / (144.0 * flat_certificate));
}

// 3 (v - c).
PLI_KERNEL wide3 wide_triangle_sum(const wide_particle *stencil)
{
    return wide3_add(wide3_sub(stencil[2].x, stencil[0].x), wide3_sub(stencil[2].x, stencil[1].x));
}

static const float triangle_shares[3] = {-1.0f / 3.0f, -1.0f / 3.0f, 2.0f / 3.0f};

#endif
