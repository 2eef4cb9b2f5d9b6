// Constraints on a linear form of four positions, s = sum K_k x_k with sum K_k = 0.
//
//   Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces (the hinge's K);
//   docs/errata.md E16, E17; docs/decisions/0044.
//
// The rows of Q are multiples of K, so demanding s = 0 as a vector is the isometric model, solved
// by one projection. For a curved rest shape s keeps its signed length s0. The sign is that of a normal
// n = a x b of the stencil, a and b differences of two positions each:
//
//               n
//               |             within 60 degrees of the line of n: +|s| or -|s|, and the correction lies along s
//        \.    +|s|    ./
//          \.   |   ./        between: twice the height s . n/|n|, so that nothing jumps; the correction lies along its
//     2 s.n  \. | ./  2 s.n   gradient, in which n turns with the stencil
//    -----------*-----------
//            /' | '\.
//          /'   |   '\.
//        /'    -|s|    '\.
//
// A sign that jumped where s lies across the normal would give such a stencil the energy of 2 s0 out of nothing.
// Either way C is invariant to rigid motion and the correction is its gradient's, so that both momenta are kept.
//
// Rest values: K of the three particles other than `base`, in their order, then s0.
#ifndef PLI_CONSTRAINTS_TYPES_LINEAR_FORM_H
#define PLI_CONSTRAINTS_TYPES_LINEAR_FORM_H

#include "base/vector.h"
#include "constraints/kernel.h"

enum { LINEAR_S0 = 3 };

// Rest lengths below this share of the edge are flat to rounding.
#define LINEAR_FLAT 1e-4
// The least height along the normal, as a share of |s|, at which the signed length is the length.
#define LINEAR_CONE 0.5

typedef struct linear_form {
    int32_t base;       // The particle whose K is minus the sum of the others'.
    int32_t a[2], b[2]; // The normal's differences: the particle a[1] minus a[0], and b.
} linear_form;

static pli_dvec3 linear_between(const pli_stencil *s, const int32_t ends[2])
{
    return pli_dsub(pli_dmake(s->positions[ends[1]]), pli_dmake(s->positions[ends[0]]));
}

static pli_dvec3 linear_sum(const pli_stencil *s, int32_t base)
{
    pli_dvec3 sum = {0}, origin = pli_dmake(s->positions[base]);
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            sum = pli_dadd(sum, pli_dscale(pli_dsub(pli_dmake(s->positions[k]), origin), (double)s->rest[j++]));
    return sum;
}

static bool linear_is_between(pli_dvec3 sum, pli_dvec3 normal)
{
    return fabs(pli_ddot(sum, normal)) < LINEAR_CONE * pli_dlength(sum) * pli_dlength(normal);
}

static double linear_signed_length(pli_dvec3 sum, pli_dvec3 normal)
{
    double height = pli_ddot(sum, normal);
    if (linear_is_between(sum, normal))
        return height / (LINEAR_CONE * pli_dlength(normal));
    return height < 0.0 ? -pli_dlength(sum) : pli_dlength(sum);
}

// Completes rest[LINEAR_S0] once the weights are written. `size` is a length of the stencil.
static void linear_rest_length(const pli_stencil *s, const linear_form *form, double size, float *rest)
{
    pli_stencil filled = *s;
    filled.rest = rest;
    pli_dvec3 sum = linear_sum(&filled, form->base);
    pli_dvec3 normal = pli_dcross(linear_between(s, form->a), linear_between(s, form->b));
    double s0 = linear_signed_length(sum, normal);
    // A length of 0 would stand for a flat rest shape.
    bool is_curved = pli_dlength(sum) > LINEAR_FLAT * size;
    rest[LINEAR_S0] = is_curved ? (float)copysign(fmax(fabs(s0), 1e-30), s0) : 0.0f;
}

static void linear_weights(const pli_stencil *s, int32_t base, double weights[4])
{
    double others = 0.0;
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            others += weights[k] = (double)s->rest[j++];
    weights[base] = -others;
}

// The gradients of 2 s . n^: that of s . n^ with n^ fixed, and q . dn with q the part of s across n, over |n|.
static void linear_gradients_between(const pli_stencil *s, const linear_form *form, pli_dvec3 sum,
                                     pli_dvec3 gradients[4])
{
    pli_dvec3 a = linear_between(s, form->a), b = linear_between(s, form->b), normal = pli_dcross(a, b);
    double reach = pli_dlength(normal), weights[4];
    pli_dvec3 up = pli_dscale(normal, 1.0 / reach);
    pli_dvec3 q = pli_dscale(pli_dsub(sum, pli_dscale(up, pli_ddot(sum, up))), 1.0 / reach);
    pli_dvec3 of_a = pli_dcross(b, q), of_b = pli_dcross(q, a);
    linear_weights(s, form->base, weights);
    for (int32_t k = 0; k < 4; k++)
        gradients[k] = pli_dscale(up, weights[k]);
    gradients[form->a[0]] = pli_dsub(gradients[form->a[0]], of_a);
    gradients[form->a[1]] = pli_dadd(gradients[form->a[1]], of_a);
    gradients[form->b[0]] = pli_dsub(gradients[form->b[0]], of_b);
    gradients[form->b[1]] = pli_dadd(gradients[form->b[1]], of_b);
    for (int32_t k = 0; k < 4; k++)
        gradients[k] = pli_dscale(gradients[k], 1.0 / LINEAR_CONE);
}

// C as a vector along s, or along the normal where s lies across it. The gradients are those of its length, which is
// what the projection solves for.
static void linear_evaluate(const pli_stencil *s, const linear_form *form, double *values, double *gradients)
{
    pli_dvec3 sum = linear_sum(s, form->base), value = sum;
    pli_dvec3 normal = pli_dcross(linear_between(s, form->a), linear_between(s, form->b));
    double s0 = (double)s->rest[LINEAR_S0], length = pli_dlength(sum), reach = pli_dlength(normal), weights[4];
    bool is_between = s0 != 0.0 && linear_is_between(sum, normal);
    if (is_between)
        value = pli_dscale(normal, (linear_signed_length(sum, normal) - s0) / reach);
    else if (s0 != 0.0 && length > 0.0)
        value = pli_dscale(sum, 1.0 - (pli_ddot(sum, normal) < 0.0 ? -s0 : s0) / length);
    else if (s0 != 0.0 && reach > 0.0)
        value = pli_dscale(normal, -s0 / reach);
    values[0] = value.x, values[1] = value.y, values[2] = value.z;
    if (!gradients)
        return;
    linear_weights(s, form->base, weights);
    for (int32_t i = 0; i < 36; i++)
        gradients[i] = i / 12 == i % 3 ? weights[i % 12 / 3] : 0.0;
    if (!is_between)
        return;
    pli_dvec3 of_height[4];
    linear_gradients_between(s, form, sum, of_height);
    const double axes[3] = {normal.x / reach, normal.y / reach, normal.z / reach};
    for (int32_t i = 0; i < 12; i++) {
        pli_dvec3 g = pli_dscale(of_height[i % 4], axes[i / 4]);
        gradients[3 * i] = g.x, gradients[3 * i + 1] = g.y, gradients[3 * i + 2] = g.z;
    }
}

// s - target, for a normal of any length.
PLI_KERNEL wide3 wide_linear_value(wide3 sum, wide3 normal, wide length, wide reach, wide s0)
{
    wide zero = wide_set(0.0f);
    wide inverse = wide_inverse_above(length, 0.0f);
    wide side = wide_select(wide_less(wide3_dot(sum, normal), zero), wide_set(-1.0f), wide_set(1.0f));
    wide along = s0 * side * inverse;
    wide up = wide_select(wide_less(zero, length), zero, s0 * wide_inverse_above(reach, 0.0f));
    wide3 target = wide3_add(wide3_scale(sum, along), wide3_scale(normal, up));
    return wide3_sub(sum, target);
}

PLI_KERNEL wide3 wide_linear_between(const wide_particle *stencil, const int32_t ends[2])
{
    return wide3_sub(stencil[ends[1]].x, stencil[ends[0]].x);
}

// The signed length where s lies across the normal, and its gradients.
typedef struct wide_height {
    wide3 up, gradients[4];
    wide value;
} wide_height;

PLI_KERNEL wide_height wide_linear_height(const wide_particle *stencil, const linear_form *form, const wide *weights,
                                          wide3 sum)
{
    wide3 a = wide_linear_between(stencil, form->a), b = wide_linear_between(stencil, form->b);
    wide3 normal = wide3_cross(a, b);
    wide per_reach = wide_inverse_above(wide3_length(normal), 0.0f), steep = wide_set((float)(1.0 / LINEAR_CONE));
    wide_height h = {.up = wide3_scale(normal, per_reach)};
    wide height = wide3_dot(sum, h.up);
    wide3 q = wide3_scale(wide3_sub(sum, wide3_scale(h.up, height)), per_reach);
    wide3 of_a = wide3_cross(b, q), of_b = wide3_cross(q, a);
    h.value = height * steep;
    for (int32_t k = 0; k < 4; k++)
        h.gradients[k] = wide3_scale(h.up, weights[k]);
    h.gradients[form->a[0]] = wide3_sub(h.gradients[form->a[0]], of_a);
    h.gradients[form->a[1]] = wide3_add(h.gradients[form->a[1]], of_a);
    h.gradients[form->b[0]] = wide3_sub(h.gradients[form->b[0]], of_b);
    h.gradients[form->b[1]] = wide3_add(h.gradients[form->b[1]], of_b);
    for (int32_t k = 0; k < 4; k++)
        h.gradients[k] = wide3_scale(h.gradients[k], steep);
    return h;
}

// Corrects a loaded stencil of which some lanes lie across the normal, and stores it. Their multiplier is kept along
// the normal.
PLI_KERNEL void linear_update_across(const pli_projection *p, int32_t slot, wide_particle *stencil,
                                     const linear_form *form, const wide *weights, wide_mask across, wide3 sum,
                                     wide3 value)
{
    wide_height h = wide_linear_height(stencil, form, weights, sum);
    wide height_weight = pli_weight(4, stencil, h.gradients),
         height_drift = pli_drift(p, slot, 4, stencil, h.gradients);
    wide weight = wide_select(across, height_weight, pli_linear_weight(4, stencil, weights));
    wide3 drift = wide3_select(across, wide3_scale(h.up, height_drift), pli_linear_drift(p, slot, 4, stencil, weights));
    value = wide3_select(across, wide3_scale(h.up, h.value - pli_rest(p, LINEAR_S0, slot)), value);
    wide3 change = pli_multipliers(p, slot, value, weight, drift);
    wide height_change = wide3_dot(change, h.up);
    for (int32_t k = 0; k < 4; k++)
        pli_move(p, k, slot, &stencil[k], wide3_select(across, h.gradients[k], change),
                 stencil[k].w * wide_select(across, height_change, weights[k]));
    pli_store_stencil(p, slot, 4, stencil);
}

// Projects with K of the base equal to minus the sum of the others. The normal is computed only for curved rest shapes.
PLI_KERNEL void linear_project(const pli_projection *p, int32_t begin, int32_t end, const linear_form *form)
{
    const bool curved = !(p->zero_rest & 1u << LINEAR_S0);
    const int32_t base = form->base;
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
        if (!curved) {
            pli_update_linear(p, slot, 4, stencil, weights, sum);
            continue;
        }
        wide3 normal = wide3_cross(wide_linear_between(stencil, form->a), wide_linear_between(stencil, form->b));
        wide s0 = pli_rest(p, LINEAR_S0, slot), length = wide3_length(sum), reach = wide3_length(normal);
        wide bound = wide_set((float)LINEAR_CONE) * length * reach;
        wide_mask across = wide_and(wide_less(wide_abs(wide3_dot(sum, normal)), bound),
                                    wide_less(wide_set(0.0f), wide_abs(s0)));
        wide3 value = wide_linear_value(sum, normal, length, reach, s0);
        if (wide_bits(across))
            linear_update_across(p, slot, stencil, form, weights, across, sum, value);
        else
            pli_update_linear(p, slot, 4, stencil, weights, value);
    }
}

#endif
