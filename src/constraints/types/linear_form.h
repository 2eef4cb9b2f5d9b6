// Constraints on a linear form of four positions, s = sum K_k x_k with sum K_k = 0.
//
//   Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces (the hinge's K);
//   docs/errata.md E16, E17.
//
// The rows of Q are multiples of K, so demanding s = 0 as a vector is the isometric model, solved
// by one projection. For a curved rest shape s keeps its signed length s0: the target lies along s
// itself, on the side that a normal of the stencil tells, so that both momenta are kept.
//
// Rest values: K of the three particles other than `base`, in their order, then s0.
#ifndef PLI_CONSTRAINTS_TYPES_LINEAR_FORM_H
#define PLI_CONSTRAINTS_TYPES_LINEAR_FORM_H

#include "base/vector.h"
#include "constraints/kernel.h"

enum { LINEAR_S0 = 3 };

// Rest lengths below this share of the edge are flat to rounding.
#define LINEAR_FLAT 1e-4

typedef pli_dvec3 (*linear_normal)(const pli_stencil *s);

static pli_dvec3 linear_sum(const pli_stencil *s, int32_t base)
{
    pli_dvec3 sum = {0}, origin = pli_dmake(s->positions[base]);
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            sum = pli_dadd(sum, pli_dscale(pli_dsub(pli_dmake(s->positions[k]), origin), (double)s->rest[j++]));
    return sum;
}

// Completes rest[LINEAR_S0] once the weights are written. `size` is a length of the stencil.
static void linear_rest_length(const pli_stencil *s, int32_t base, pli_dvec3 normal, double size, float *rest)
{
    pli_stencil filled = *s;
    filled.rest = rest;
    pli_dvec3 sum = linear_sum(&filled, base);
    double length = pli_dlength(sum);
    double side = pli_ddot(sum, normal) < 0.0 ? -1.0 : 1.0;
    rest[LINEAR_S0] = length > LINEAR_FLAT * size ? (float)(side * length) : 0.0f;
}

static void linear_evaluate(const pli_stencil *s, int32_t base, pli_dvec3 normal, double *values, double *gradients)
{
    pli_dvec3 sum = linear_sum(s, base), target = {0};
    double s0 = (double)s->rest[LINEAR_S0], length = pli_dlength(sum);
    if (s0 != 0.0) {
        double side = pli_ddot(sum, normal) < 0.0 ? -1.0 : 1.0;
        double reach = pli_dlength(normal);
        if (length > 0.0)
            target = pli_dscale(sum, s0 * side / length);
        else if (reach > 0.0)
            target = pli_dscale(normal, s0 / reach);
    }
    pli_dvec3 value = pli_dsub(sum, target);
    values[0] = value.x, values[1] = value.y, values[2] = value.z;
    if (!gradients)
        return;
    double weights[4], rest_of_them = 0.0;
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            rest_of_them += weights[k] = (double)s->rest[j++];
    weights[base] = -rest_of_them;
    for (int32_t i = 0; i < 36; i++)
        gradients[i] = i / 12 == i % 3 ? weights[i % 12 / 3] : 0.0;
}

// s - target, for a normal of any length.
PLI_KERNEL wide3 wide_linear_value(wide3 sum, wide3 normal, wide s0)
{
    wide zero = wide_set(0.0f);
    wide length = wide3_length(sum);
    wide inverse = wide_inverse_above(length, 0.0f);
    wide side = wide_select(wide_less(wide3_dot(sum, normal), zero), wide_set(-1.0f), wide_set(1.0f));
    wide along = s0 * side * inverse;
    wide up = wide_select(wide_less(zero, length), zero, s0 * wide_inverse_above(wide3_length(normal), 0.0f));
    wide3 target = wide3_add(wide3_scale(sum, along), wide3_scale(normal, up));
    return wide3_sub(sum, target);
}

typedef wide3 (*wide_linear_normal)(const wide_particle *stencil);

// Projects with K of `base` equal to minus the sum of the others. `normal` is called only for curved rest shapes.
PLI_KERNEL void linear_project(const pli_projection *p, int32_t begin, int32_t end, int32_t base,
                               wide_linear_normal normal)
{
    const bool curved = !(p->zero_rest & 1u << LINEAR_S0);
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        wide_particle stencil[4];
        wide weights[4], others = wide_set(0.0f);
        wide3 sum = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
        pli_load_stencil(p, slot, 4, stencil);
        for (int32_t k = 0, j = 0; k < 4; k++) {
            if (k == base)
                continue;
            weights[k] = pli_rest(p, j++, slot);
            others = others + weights[k];
            sum = wide3_add_scaled(sum, wide3_sub(stencil[k].x, stencil[base].x), weights[k]);
        }
        weights[base] = -others;
        if (curved)
            sum = wide_linear_value(sum, normal(stencil), pli_rest(p, LINEAR_S0, slot));
        pli_update_linear(p, slot, 4, stencil, weights, sum);
    }
}

#endif
