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

// The direction in which the signed length is measured, n where s lies across it and else s; the signed length minus
// s0; and by how much it grows over that of s along the direction.
typedef struct linear_value {
    pli_dvec3 up;
    double value, steepness;
    bool across;
} linear_value;

static linear_value linear_value_of(pli_dvec3 sum, pli_dvec3 normal, double s0, bool curved)
{
    double height = pli_ddot(sum, normal), length = pli_dlength(sum);
    bool across = curved && fabs(height) <= LINEAR_CONE * length * pli_dlength(normal);
    pli_dvec3 along = across ? normal : sum;
    double reach = pli_dlength(along), steepness = across ? 1.0 / LINEAR_CONE : 1.0;
    linear_value v = {.steepness = steepness, .across = across};
    if (reach > 0.0)
        v.up = pli_dscale(along, 1.0 / reach);
    v.value = steepness * pli_ddot(sum, v.up) - (!across && height < 0.0 ? -s0 : s0);
    return v;
}

static pli_dvec3 linear_normal(const pli_stencil *s, const linear_form *form)
{
    return pli_dcross(linear_between(s, form->a), linear_between(s, form->b));
}

// Completes rest[LINEAR_S0] once the weights are written. `size` is a length of the stencil.
static void linear_rest_length(const pli_stencil *s, const linear_form *form, double size, float *rest)
{
    pli_stencil filled = *s;
    filled.rest = rest;
    pli_dvec3 sum = linear_sum(&filled, form->base), normal = linear_normal(s, form);
    double s0 = linear_value_of(sum, normal, 0.0, true).value;
    // A length of 0 would stand for a flat rest shape.
    s0 = copysign(fmax(fabs(s0), 1e-30), pli_ddot(sum, normal));
    rest[LINEAR_S0] = pli_dlength(sum) > LINEAR_FLAT * size ? (float)s0 : 0.0f;
}

static void linear_weights(const pli_stencil *s, int32_t base, double weights[4])
{
    double others = 0.0;
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            others += weights[k] = (double)s->rest[j++];
    weights[base] = -others;
}

// Gradients of s . n/|n|: that of s with n fixed, and q . dn with q the part of s across n, over |n|.
static void linear_height_gradients(const pli_stencil *s, const linear_form *form, pli_dvec3 sum, pli_dvec3 up,
                                    pli_dvec3 gradients[4])
{
    pli_dvec3 a = linear_between(s, form->a), b = linear_between(s, form->b), q = {0};
    double reach = pli_dlength(pli_dcross(a, b)), weights[4];
    if (reach > 0.0)
        q = pli_dscale(pli_dsub(sum, pli_dscale(up, pli_ddot(sum, up))), 1.0 / reach);
    pli_dvec3 of_a = pli_dcross(b, q), of_b = pli_dcross(q, a);
    linear_weights(s, form->base, weights);
    for (int32_t k = 0; k < 4; k++)
        gradients[k] = pli_dscale(up, weights[k]);
    gradients[form->a[0]] = pli_dsub(gradients[form->a[0]], of_a);
    gradients[form->a[1]] = pli_dadd(gradients[form->a[1]], of_a);
    gradients[form->b[0]] = pli_dsub(gradients[form->b[0]], of_b);
    gradients[form->b[1]] = pli_dadd(gradients[form->b[1]], of_b);
}

// C as a vector along the direction. Its gradients are those of s, or where s lies across the normal those of the
// height in that direction alone.
static void linear_evaluate(const pli_stencil *s, const linear_form *form, double *values, double *gradients)
{
    double s0 = (double)s->rest[LINEAR_S0], weights[4];
    pli_dvec3 sum = linear_sum(s, form->base);
    linear_value v = linear_value_of(sum, linear_normal(s, form), s0, s0 != 0.0);
    values[0] = v.up.x * v.value, values[1] = v.up.y * v.value, values[2] = v.up.z * v.value;
    if (!gradients)
        return;
    linear_weights(s, form->base, weights);
    for (int32_t i = 0; i < 36; i++)
        gradients[i] = i / 12 == i % 3 ? weights[i % 12 / 3] : 0.0;
    if (!v.across)
        return;
    pli_dvec3 of_height[4];
    linear_height_gradients(s, form, sum, v.up, of_height);
    const double axes[3] = {v.up.x * v.steepness, v.up.y * v.steepness, v.up.z * v.steepness};
    for (int32_t i = 0; i < 12; i++) {
        pli_dvec3 g = pli_dscale(of_height[i % 4], axes[i / 4]);
        gradients[3 * i] = g.x, gradients[3 * i + 1] = g.y, gradients[3 * i + 2] = g.z;
    }
}

PLI_KERNEL wide3 wide_linear_between(const wide_particle *stencil, const int32_t ends[2])
{
    return wide3_sub(stencil[ends[1]].x, stencil[ends[0]].x);
}

// By which factor a difference of two positions moves with particle k.
PLI_KERNEL float linear_share(const int32_t ends[2], int32_t k) { return (float)((ends[1] == k) - (ends[0] == k)); }

// Corrects a loaded stencil of a set with curved rest shapes, and stores it. The gradients are K_k up + of_k, where of_k
// is of_a and of_b by the shares of the particle in a and b, and 0 in lanes that do not lie across the normal.
PLI_KERNEL void linear_update_curved(const pli_projection *p, int32_t slot, wide_particle *stencil,
                                     const linear_form *form, const wide *weights, wide3 sum)
{
    const wide zero = wide_set(0.0f), one = wide_set(1.0f), cone = wide_set((float)LINEAR_CONE), two = wide_set(2.0f);
    wide3 a = wide_linear_between(stencil, form->a), b = wide_linear_between(stencil, form->b);
    wide3 normal = wide3_cross(a, b), drift = {zero, zero, zero};
    wide s0 = pli_rest(p, LINEAR_S0, slot), height = wide3_dot(sum, normal), weight = zero;
    wide bound = cone * cone * (wide3_dot(sum, sum) * wide3_dot(normal, normal));
    wide_mask across = wide_and(wide_less(zero, wide_abs(s0)), wide_not(wide_less(bound, height * height)));
    wide3 up = wide3_select(across, normal, sum);
    wide per_reach = wide_inverse_above(wide3_length(up), 0.0f);
    up = wide3_scale(up, per_reach);
    wide along = wide3_dot(sum, up), steepness = wide_select(across, one / cone, one);
    wide target = wide_select(wide_less(wide_select(across, zero, height), zero), -s0, s0);
    wide3 q = wide3_scale(wide3_sub(sum, wide3_scale(up, along)), wide_select(across, per_reach, zero));
    wide3 of_a = wide3_cross(b, q), of_b = wide3_cross(q, a);
    wide aa = wide3_dot(of_a, of_a), bb = wide3_dot(of_b, of_b), ab = wide3_dot(of_a, of_b);
    wide ua = wide3_dot(of_a, up), ub = wide3_dot(of_b, up);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; k++) {
        float in_a = linear_share(form->a, k), in_b = linear_share(form->b, k);
        wide square = weights[k] * weights[k];
        if (in_a != 0.0f)
            square = square + (aa + wide_set(in_a) * two * weights[k] * ua);
        if (in_b != 0.0f)
            square = square + (bb + wide_set(in_b) * two * weights[k] * ub);
        if (in_a * in_b != 0.0f)
            square = square + wide_set(2.0f * in_a * in_b) * ab;
        weight = weight + stencil[k].w * square;
    }
    if (p->damping != 0.0f) {
        wide turning = zero;
        for (int32_t k = 0; k < 4; k++) {
            wide3 moved = wide3_sub(stencil[k].x, pli_load_previous(p, k, slot));
            drift = wide3_add_scaled(drift, moved, weights[k]);
            turning = turning + wide3_dot(wide3_scale(of_a, wide_set(linear_share(form->a, k))), moved) +
                      wide3_dot(wide3_scale(of_b, wide_set(linear_share(form->b, k))), moved);
        }
        wide3 of_height = wide3_scale(up, wide3_dot(drift, up) + turning);
        drift = wide3_scale(wide3_select(across, of_height, drift), steepness);
    }
    wide3 value = wide3_scale(up, steepness * along - target);
    wide3 change = wide3_scale(pli_multipliers(p, slot, value, steepness * steepness * weight, drift), steepness);
    wide share = wide3_dot(change, up);
    of_a = wide3_scale(of_a, share), of_b = wide3_scale(of_b, share);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; k++) {
        float in_a = linear_share(form->a, k), in_b = linear_share(form->b, k);
        wide3 move = wide3_scale(change, weights[k]);
        if (in_a != 0.0f)
            move = wide3_add_scaled(move, of_a, wide_set(in_a));
        if (in_b != 0.0f)
            move = wide3_add_scaled(move, of_b, wide_set(in_b));
        pli_move(p, k, slot, &stencil[k], move, stencil[k].w);
    }
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
        if (curved)
            linear_update_curved(p, slot, stencil, form, weights, sum);
        else
            pli_update_linear(p, slot, 4, stencil, weights, sum);
    }
}

#endif
