// Constraints on a linear form of four positions, s = sum K_k x_k with sum K_k = 0.
//
//   Bergou et al. 2006, A Quadratic Bending Model for Inextensible Surfaces (the hinge's K);
//   Garg et al. 2007, Cubic Shells (curved rest shapes); docs/errata.md E16, E17; docs/decisions/bending.md.
//
// The rows of Q are multiples of K, so requiring s = 0 as a vector is the isometric model, solved by one projection. A curved rest shape
// has s along a normal n of the stencil, and requires C = |s - s0 n/|n|| = 0:
//
//       n
//       |  s0 n/|n|         C^2 / 2 is s^2 / 2, the flat model, minus s0 s . n/|n|. It chooses no sign and is
//       *-.                 continuous, wherever s turns; the component of s in the surface is resisted as in the flat
//       |   `-. C           model, to which C tends as s0 goes to 0.
//       |      `-.
//       |_ _ _ _ _`* s
//
// n = a x b rotates with the stencil, and the correction uses the full gradient of C, which is invariant to rigid motion: both momenta are
// conserved, and the force derives from one energy. a is a difference of two positions, and b a sum of sides from the first of them. If n
// is shorter than a quarter of its rest length, because the stencil collapses or folds onto itself, it is divided by that quarter instead
// of |n|, so that it does not jump from side to side.
//
// Rest values: K of the three particles other than `base`, in their order, then s0 and the minimum divisor of n.
#ifndef PLI_CONSTRAINTS_TYPES_LINEAR_FORM_H
#define PLI_CONSTRAINTS_TYPES_LINEAR_FORM_H

#include "base/vector.h"
#include "constraints/kernel.h"

enum { LINEAR_S0 = 3, LINEAR_LEAST = 4, LINEAR_RESTS = 5 };

// Rest lengths below this fraction of the edge are flat to rounding.
#define LINEAR_FLAT 1e-4
// Normals below this fraction of their rest length are not normalised.
#define LINEAR_SHORT 0.25

typedef struct linear_form {
    int32_t base;   // The particle for which K is minus the sum of the others.
    int32_t a[2];   // The normal's difference: the particle a[1] minus a[0].
    float sides[4]; // Factors in b of the sides from a[0] to each particle.
    bool times_k;   // Whether these factors are multiplied by K.
} linear_form;

static pli_dvec3 linear_sum(const pli_stencil *s, int32_t base)
{
    pli_dvec3 sum = {0}, origin = pli_dmake(s->positions[base]);
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            sum = pli_dadd(sum, pli_dscale(pli_dsub(pli_dmake(s->positions[k]), origin), (double)s->rest[j++]));
    return sum;
}

static void linear_weights(const pli_stencil *s, int32_t base, double weights[4])
{
    double others = 0.0;
    for (int32_t k = 0, j = 0; k < 4; k++)
        if (k != base)
            others += weights[k] = (double)s->rest[j++];
    weights[base] = -others;
}

// The normal, and how its two vectors move with the particles.
typedef struct linear_normal {
    pli_dvec3 a, b, normal;
    double reach, of_a[4], of_b[4];
} linear_normal;

static linear_normal linear_normal_of(const pli_stencil *s, const linear_form *form)
{
    linear_normal n = {0};
    double weights[4];
    linear_weights(s, form->base, weights);
    n.of_a[form->a[0]] = -1.0, n.of_a[form->a[1]] = 1.0;
    for (int32_t k = 0; k < 4; k++) {
        double share = (double)form->sides[k] * (form->times_k ? weights[k] : 1.0);
        n.of_b[k] += share, n.of_b[form->a[0]] -= share;
    }
    pli_dvec3 origin = pli_dmake(s->positions[form->a[0]]);
    for (int32_t k = 0; k < 4; k++) {
        pli_dvec3 side = pli_dsub(pli_dmake(s->positions[k]), origin);
        n.a = pli_dadd(n.a, pli_dscale(side, n.of_a[k])), n.b = pli_dadd(n.b, pli_dscale(side, n.of_b[k]));
    }
    n.normal = pli_dcross(n.a, n.b);
    n.reach = pli_dlength(n.normal);
    return n;
}

// Computes rest[LINEAR_S0] after the weights are written. `size` is a length of the stencil.
static void linear_rest_length(const pli_stencil *s, const linear_form *form, double size, float *rest)
{
    pli_stencil filled = *s;
    filled.rest = rest;
    pli_dvec3 sum = linear_sum(&filled, form->base);
    linear_normal n = linear_normal_of(&filled, form);
    double s0 = n.reach > 0.0 ? pli_ddot(sum, n.normal) / n.reach : 0.0;
    rest[LINEAR_LEAST] = (float)(LINEAR_SHORT * n.reach);
    // A length of 0 would denote a flat rest shape.
    bool is_curved = rest[LINEAR_LEAST] > 0.0f && pli_dlength(sum) > LINEAR_FLAT * size;
    rest[LINEAR_S0] = is_curved ? (float)copysign(fmax(fabs(s0), 1e-30), s0) : 0.0f;
}

// Computes s minus its target. For curved rest shapes the gradients are the gradients of its length, along its direction; for flat ones,
// or if the length is 0, they are the gradients of s.
static void linear_evaluate(const pli_stencil *s, const linear_form *form, double *values, double *gradients)
{
    double s0 = (double)s->rest[LINEAR_S0], weights[4];
    linear_normal n = linear_normal_of(s, form);
    double least = (double)s->rest[LINEAR_LEAST], scale = s0 != 0.0 ? s0 / fmax(n.reach, least) : 0.0;
    pli_dvec3 value = pli_dsub(linear_sum(s, form->base), pli_dscale(n.normal, scale));
    double length = pli_dlength(value);
    values[0] = value.x, values[1] = value.y, values[2] = value.z;
    if (!gradients)
        return;
    linear_weights(s, form->base, weights);
    for (int32_t i = 0; i < 36; i++)
        gradients[i] = i / 12 == i % 3 ? weights[i % 12 / 3] : 0.0;
    if (s0 == 0.0 || !(length > 0.0))
        return;
    pli_dvec3 along = pli_dscale(value, 1.0 / length);
    double turns = n.reach < least ? 0.0 : pli_ddot(along, n.normal) / (n.reach * n.reach);
    pli_dvec3 q = pli_dscale(pli_dsub(pli_dscale(n.normal, turns), along), scale);
    pli_dvec3 of_a = pli_dcross(n.b, q), of_b = pli_dcross(q, n.a);
    const double axes[3] = {along.x, along.y, along.z};
    for (int32_t i = 0; i < 12; i++) {
        int32_t k = i % 4;
        pli_dvec3 g = pli_dadd(pli_dscale(of_a, n.of_a[k]), pli_dscale(of_b, n.of_b[k]));
        g = pli_dscale(pli_dadd(g, pli_dscale(along, weights[k])), axes[i / 4]);
        gradients[3 * i] = g.x, gradients[3 * i + 1] = g.y, gradients[3 * i + 2] = g.z;
    }
}

// Excess of s over s0 along the normal, for types that keep a bend.
static double linear_excess(const pli_stencil *s, const linear_form *form)
{
    linear_normal n = linear_normal_of(s, form);
    double height = n.reach > 0.0 ? pli_ddot(linear_sum(s, form->base), n.normal) / n.reach : 0.0;
    return height - (double)s->rest[LINEAR_S0];
}

// The factor in b of the side from a[0] to particle k, which is not a[0].
PLI_KERNEL wide linear_side(const linear_form *form, const wide *weights, int32_t k)
{
    wide side = wide_set(form->sides[k]);
    if (form->times_k)
        side = side * weights[k];
    return side;
}

// Corrects a loaded stencil of a set with curved rest shapes, and stores it. The gradients are K_k C/|C| + of_k, where of_k combines of_a
// and of_b by how a and b move with the particle.
PLI_KERNEL void linear_update_curved(const pli_projection *p, int32_t slot, wide_particle *stencil,
                                     const linear_form *form, const wide *weights, wide3 sum)
{
    const wide zero = wide_set(0.0f), two = wide_set(2.0f);
    wide3 a = wide3_sub(stencil[form->a[1]].x, stencil[form->a[0]].x), b = {zero, zero, zero}, drift = b;
    wide shares[4], all = zero, weight = zero;
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; k++) {
        if (form->sides[k] == 0.0f)
            continue;
        shares[k] = linear_side(form, weights, k);
        all = all + shares[k];
        b = wide3_add_scaled(b, wide3_sub(stencil[k].x, stencil[form->a[0]].x), shares[k]);
    }
    shares[form->a[0]] = -all;
    wide3 normal = wide3_cross(a, b);
    wide reach = wide3_length(normal), least = pli_rest(p, LINEAR_LEAST, slot), s0 = pli_rest(p, LINEAR_S0, slot);
    wide per_reach = wide_inverse_above(wide_max(reach, least), 0.0f);
    normal = wide3_scale(normal, per_reach);
    wide3 value = wide3_sub(sum, wide3_scale(normal, s0));
    wide3 along = wide3_scale(value, wide_inverse_above(wide3_length(value), 0.0f));
    wide3 q = wide3_sub(wide3_scale(normal, wide_select(wide_less(reach, least), zero, wide3_dot(along, normal))),
                        along);
    q = wide3_scale(q, s0 * per_reach);
    wide3 of_a = wide3_cross(b, q), of_b = wide3_cross(q, a);
    wide aa = wide3_dot(of_a, of_a), bb = wide3_dot(of_b, of_b), ab = wide3_dot(of_a, of_b);
    wide ua = two * wide3_dot(of_a, along), ub = two * wide3_dot(of_b, along);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; k++) {
        bool in_a = k == form->a[0] || k == form->a[1], in_b = k == form->a[0] || form->sides[k] != 0.0f;
        wide square = weights[k] * weights[k];
        if (in_a)
            square = square + (k == form->a[0] ? aa - weights[k] * ua : aa + weights[k] * ua);
        if (in_b)
            square = square + shares[k] * (shares[k] * bb + weights[k] * ub);
        if (in_a && in_b)
            square = square - two * shares[k] * ab;
        weight = weight + stencil[k].w * square;
    }
    if (p->coefficients.damping != 0.0f) {
        wide turning = zero;
        for (int32_t k = 0; k < 4; k++) {
            wide3 moved = wide3_sub(stencil[k].x, pli_load_previous(p, k, slot));
            drift = wide3_add_scaled(drift, moved, weights[k]);
            if (k == form->a[0] || k == form->a[1])
                turning = turning + wide3_dot(of_a, wide3_scale(moved, wide_set(k == form->a[0] ? -1.0f : 1.0f)));
            if (k == form->a[0] || form->sides[k] != 0.0f)
                turning = turning + shares[k] * wide3_dot(of_b, moved);
        }
        wide3 of_length = wide3_scale(along, wide3_dot(drift, along) + turning);
        drift = wide3_select(wide_less(zero, wide_abs(s0)), of_length, drift);
    }
    wide3 change = pli_multipliers(p, slot, value, weight, drift);
    wide share = wide3_dot(change, along);
    of_a = wide3_scale(of_a, share), of_b = wide3_scale(of_b, share);
#pragma GCC unroll 4
    for (int32_t k = 0; k < 4; k++) {
        wide3 move = wide3_scale(change, weights[k]);
        if (k == form->a[0] || k == form->a[1])
            move = k == form->a[0] ? wide3_sub(move, of_a) : wide3_add(move, of_a);
        if (k == form->a[0] || form->sides[k] != 0.0f)
            move = wide3_add_scaled(move, of_b, shares[k]);
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
