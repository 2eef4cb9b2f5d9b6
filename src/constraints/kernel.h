// The update rule, written once for PBD and XPBD and for every width.
//
//   Mueller et al. 2006, Position Based Dynamics, eqs. (8), (9): PBD with stiffness k'.
//   Macklin et al. 2016, XPBD, eqs. (18), (26), with the sign of the compliance term as derived
//   there (the tutorial's transcription drops it, docs/errata.md E18).
//
//   dlambda = (-k' C - a lambda - g grad C . (x - x_prev)) / ((1 + g) sum w |grad C|^2 + a)
//   dx      = w grad C dlambda
//
// with a = alpha / h^2 and g = damping time / h. PBD is k' <= 1, a = g = 0; XPBD is k' = 1.
// Inequalities clamp the accumulated multiplier to the sign that pushes.
#ifndef PLI_CONSTRAINTS_KERNEL_H
#define PLI_CONSTRAINTS_KERNEL_H

#include "base/text.h"
#include "constraints/projection.h"

// Parameters of types that can keep a bend (pli_constraint_type.bend).
#define PLI_YIELD                                                                                                      \
    {                                                                                                                  \
        .name = "yield", .label = PLI_TEXT("Yield curvature"), .unit = "1/m",                                          \
        .summary = PLI_TEXT("Curvature beyond the rest shape above which a bend is permanent."),                       \
        .help = PLI_TEXT(                                                                                              \
            "The inverse of the radius to which the sheet can be rolled without keeping a curl: paper 70, "            \
            "polyester film 800."),                                                                                    \
        .maximum = 1e9, .soft_minimum = 1.0, .soft_maximum = 1e4, .scale = PLI_SLIDER_LOG, .zero = "elastic",          \
    }
#define PLI_HARDENING                                                                                                  \
    {                                                                                                                  \
        .name = "hardening", .label = PLI_TEXT("Hardening"), .unit = "",                                               \
        .summary = PLI_TEXT("Increase of the yield curvature for each 1/m of permanent bend."), .maximum = 1e6,        \
        .soft_maximum = 1.0, .zero = "none", .section = "advanced",                                                    \
    }

#if defined(__clang__) && (PLI_BACKEND_ID != PLI_BACKEND_IS_scalar || defined(PLI_RUNS) || defined(PLI_WITHOUT_SCALAR))
#pragma clang diagnostic ignored "-Wunneeded-internal-declaration" // PLI_ROW leaves some functions unused.
#endif

// The loop of a kernel over the slots begin..end-1.
typedef void (*pli_loop)(const pli_projection *p, int32_t begin, int32_t end);

// Kernels have several loops; without this, compilers would make common functions of their parts.
#define PLI_KERNEL static inline __attribute__((always_inline))
#define PLI_LOOP PLI_KERNEL void
// A part that kernels seldom run is a separate function in builds for size.
#ifdef PLI_COMPACT
#define PLI_SELDOM static __attribute__((noinline, unused))
#else
#define PLI_SELDOM PLI_KERNEL
#endif

// Loads particle k of each lane from an array of particles.
PLI_KERNEL wide_particle pli_load_listed(const pli_projection *p, const pli_particle *from, int32_t k, int32_t slot)
{
    wide_particle particle;
#ifdef WIDE_CONTIGUOUS_BATCHES
    if (p->is_contiguous) {
        wide_load_contiguous(from, p->index[k] + slot, &particle.x.x, &particle.x.y, &particle.x.z, &particle.w);
        return particle;
    }
#endif
    wide_load_listed(from, p->index[k] + slot, &particle.x.x, &particle.x.y, &particle.x.z, &particle.w);
    return particle;
}

#ifdef PLI_RUNS
#include "constraints/layout_runs.h"
#else
#include "constraints/layout_lists.h"
#endif

#include "constraints/bundle.h"

// Loops over a stencil request unrolling: gcc leaves them rolled in large kernels, and the stencil in memory.
PLI_KERNEL void pli_load_stencil(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil)
{
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        stencil[k] = pli_load_particles(p, k, slot);
}

PLI_KERNEL void pli_store_stencil(const pli_projection *p, int32_t slot, int32_t count, const wide_particle *stencil)
{
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        pli_store_particles(p, k, slot, &stencil[k]);
}

PLI_KERNEL wide pli_rest(const pli_projection *p, int32_t j, int32_t slot) { return wide_load(p->rest[j] + slot); }

// Moves particle k of a loaded stencil by a scaled vector. Positions are rounded to half a unit in the last place, which at small substeps
// h is an acceleration as large as gravity; the rounding loss of the move is kept for the velocities.
PLI_KERNEL void pli_move(const pli_projection *p, int32_t k, int32_t slot, wide_particle *particle, wide3 along,
                         wide scale)
{
    wide3 move = wide3_scale(along, scale), to = wide3_add(particle->x, move);
    if (p->lost)
        pli_add_lost(p, k, slot, wide3_sub(move, wide3_sub(to, particle->x)));
    particle->x = to;
}

// The same for one particle of a constraint of variable cardinality.
PLI_KERNEL void pli_move_one(const pli_projection *p, int32_t particle, float x, float y, float z)
{
    pli_particle *at = &p->particles[particle], before = *at;
    at->x += x, at->y += y, at->z += z;
    if (!p->lost)
        return;
    pli_particle *lost = &p->lost[particle];
    lost->x += x - (at->x - before.x), lost->y += y - (at->y - before.y), lost->z += z - (at->z - before.z);
}

// alpha / h^2 of each lane: the compliance of the set in series with the compliance of the rigidity.
PLI_KERNEL wide pli_compliance(const pli_projection *p, int32_t slot)
{
    wide compliance = wide_set(p->coefficients.compliance);
    if (p->compliance_scale)
        compliance = compliance + wide_load(p->compliance_scale + slot) * wide_set(p->coefficients.inverse_rigidity);
    return compliance;
}

// Damping of each lane.
PLI_SELDOM wide pli_damping(const pli_projection *p, int32_t slot)
{
    wide damping = wide_set(p->coefficients.damping);
    if (p->damping_scale)
        damping = damping * wide_load(p->damping_scale + slot);
    return damping;
}

PLI_KERNEL wide pli_lambda(const pli_projection *p, int32_t dimension, int32_t slot)
{
    return p->first ? wide_set(0.0f) : pli_load_lanes(p, p->lambda[dimension] + slot, slot);
}

// The numerator -k' C - a lambda - g grad C . (x - x_prev), and the denominator. Terms that are zero in every lane are omitted.
PLI_KERNEL wide pli_force(const pli_projection *p, int32_t dimension, int32_t slot, wide value, wide drift)
{
    wide force = wide_set(-p->coefficients.stiffness) * value;
    if (!p->first)
        force = force - pli_compliance(p, slot) * pli_lambda(p, dimension, slot);
    if (p->coefficients.damping != 0.0f)
        force = force - pli_damping(p, slot) * drift;
    return force;
}

PLI_KERNEL wide pli_resistance(const pli_projection *p, int32_t slot, wide weight)
{
    if (p->coefficients.damping != 0.0f)
        weight = (wide_set(1.0f) + pli_damping(p, slot)) * weight;
    return weight + pli_compliance(p, slot);
}

// Limits the change so that the accumulated multiplier keeps the sign of an active inequality.
PLI_KERNEL wide pli_clamp(const pli_projection *p, wide lambda, wide change)
{
    if (p->sense == PLI_SENSE_AT_MOST)
        return wide_min(lambda + change, wide_set(0.0f)) - lambda;
    if (p->sense == PLI_SENSE_AT_LEAST)
        return wide_max(lambda + change, wide_set(0.0f)) - lambda;
    return change;
}

// The change of the multiplier for one value; accumulates it when multipliers are kept.
PLI_KERNEL wide pli_multiplier(const pli_projection *p, int32_t dimension, int32_t slot, wide value, wide weight,
                               wide drift)
{
    wide force = pli_force(p, dimension, slot, value, drift), lambda = pli_lambda(p, dimension, slot);
    wide change = force * wide_inverse_above(pli_resistance(p, slot, weight), 0.0f);
    change = pli_clamp(p, lambda, change);
    if (p->lambda[0])
        pli_store_lanes(p, p->lambda[dimension] + slot, slot, lambda + change);
    return change;
}

PLI_KERNEL wide pli_weight(int32_t count, const wide_particle *stencil, const wide3 *gradients)
{
    wide weight = stencil[0].w * wide3_dot(gradients[0], gradients[0]);
#pragma GCC unroll 4
    for (int32_t k = 1; k < count; k++)
        weight = weight + stencil[k].w * wide3_dot(gradients[k], gradients[k]);
    return weight;
}

// grad C . (x - x_prev), evaluated only when there is damping.
PLI_KERNEL wide pli_drift(const pli_projection *p, int32_t slot, int32_t count, const wide_particle *stencil,
                          const wide3 *gradients)
{
    wide drift = wide_set(0.0f);
    if (p->coefficients.damping == 0.0f)
        return drift;
    for (int32_t k = 0; k < count; k++)
        drift = drift + wide3_dot(gradients[k], wide3_sub(stencil[k].x, pli_load_previous(p, k, slot)));
    return drift;
}

// Corrects a loaded stencil for a scalar constraint whose sum of w |grad C|^2 is known, and stores it.
PLI_KERNEL void pli_update_weighted(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                                    const wide3 *gradients, wide value, wide weight)
{
    wide drift = pli_drift(p, slot, count, stencil, gradients);
    wide change = pli_multiplier(p, 0, slot, value, weight, drift);
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        pli_move(p, k, slot, &stencil[k], gradients[k], stencil[k].w * change);
    pli_store_stencil(p, slot, count, stencil);
}

PLI_KERNEL void pli_update(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                           const wide3 *gradients, wide value)
{
    pli_update_weighted(p, slot, count, stencil, gradients, value, pli_weight(count, stencil, gradients));
}

PLI_KERNEL wide3 pli_multipliers(const pli_projection *p, int32_t slot, wide3 value, wide weight, wide3 drift)
{
    return (wide3){
        pli_multiplier(p, 0, slot, value.x, weight, drift.x),
        pli_multiplier(p, 1, slot, value.y, weight, drift.y),
        pli_multiplier(p, 2, slot, value.z, weight, drift.z),
    };
}

// The same for a vector constraint whose gradients are K_k times the identity.
PLI_KERNEL void pli_update_linear(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                                  const wide *weights, wide3 value)
{
    wide weight = wide_set(0.0f);
    wide3 drift = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        weight = weight + stencil[k].w * (weights[k] * weights[k]);
    if (p->coefficients.damping != 0.0f)
        for (int32_t k = 0; k < count; k++)
            drift = wide3_add_scaled(drift, wide3_sub(stencil[k].x, pli_load_previous(p, k, slot)), weights[k]);
    wide3 change = pli_multipliers(p, slot, value, weight, drift);
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        pli_move(p, k, slot, &stencil[k], change, stencil[k].w * weights[k]);
    pli_store_stencil(p, slot, count, stencil);
}

// The factor of `d` in the corrections of a scalar constraint whose gradients are all parallel to it: the gradient of particle k is
// shares[k] d / |d|. One division serves the direction and the multiplier; the caller must still multiply by the inverse masses.
PLI_KERNEL wide pli_scale_along(const pli_projection *p, int32_t slot, int32_t count, wide3 d, wide length,
                                const float *shares, wide value, wide weight)
{
    wide drift = wide_set(0.0f), lambda = pli_lambda(p, 0, slot);
    if (p->coefficients.damping != 0.0f) {
        for (int32_t k = 0; k < count; k++) {
            wide3 trajectory = wide3_sub(pli_load_particles(p, k, slot).x, pli_load_previous(p, k, slot));
            drift = drift + wide_set(shares[k]) * wide3_dot(d, trajectory);
        }
        drift = drift * wide_inverse_above(length, 0.0f);
    }
    wide scale = pli_force(p, 0, slot, value, drift) *
                 wide_inverse_above(pli_resistance(p, slot, weight) * length, 0.0f);
    if (p->sense != PLI_SENSE_EQUAL)
        scale = pli_clamp(p, lambda, scale * length) * wide_inverse_above(length, 0.0f);
    if (p->lambda[0])
        pli_store_lanes(p, p->lambda[0] + slot, slot, lambda + scale * length);
    return scale;
}

// Corrects a loaded stencil by that factor, and stores it.
PLI_KERNEL void pli_update_along(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil, wide3 d,
                                 wide length, const float *shares, wide value, wide weight)
{
    wide scale = pli_scale_along(p, slot, count, d, length, shares, value, weight);
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        pli_move(p, k, slot, &stencil[k], d, stencil[k].w * (wide_set(shares[k]) * scale));
    pli_store_stencil(p, slot, count, stencil);
}

// The factor of `d` by which a particle with this `share` moves.
PLI_KERNEL wide pli_move_factor(wide mass, float share, wide scale) { return mass * (wide_set(share) * scale); }

// Moves loaded bundles by that factor, and stores them; `along` is a sum or difference of bundles, with the vectors `d`.
PLI_KERNEL void pli_move_bundles(const pli_projection *p, int32_t slot, int32_t count, const pli_bundle *bundles,
                                 const wide *masses, const pli_bundle *along, const float *shares, wide scale)
{
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++) {
        wide share = pli_move_factor(masses[k], shares[k], scale);
        pli_bundle moved = pli_bundle_add_scaled(bundles[k], *along, share);
        if (p->lost)
            pli_bundle_keep_lost(p, k, slot, &bundles[k], &moved, along, share);
        pli_bundle_store(p, k, slot, &moved);
    }
}

// Corrects loaded bundles along the vectors `d` of `along`.
PLI_KERNEL void pli_update_bundles(const pli_projection *p, int32_t slot, int32_t count, const pli_bundle *bundles,
                                   const wide *masses, const pli_bundle *along, wide3 d, wide length,
                                   const float *shares, wide value, wide weight)
{
    wide scale = pli_scale_along(p, slot, count, d, length, shares, value, weight);
    pli_move_bundles(p, slot, count, bundles, masses, along, shares, scale);
}

// Limits the change of C in one projection, force weight / resistance, to `most`: a stencil beyond it moves like a rigid constraint that
// is violated by `most`.
PLI_KERNEL void pli_limit_change(float most, wide weight, wide *force, wide *resistance)
{
    wide bound = wide_set(most);
    wide_mask beyond = wide_less(bound * *resistance, wide_abs(*force) * weight);
    *force = wide_select(beyond, wide_max(-bound, wide_min(bound, *force)), *force);
    *resistance = wide_select(beyond, weight, *resistance);
}

// The same for a scalar constraint with gradients d[k] / length, without dividing by the length, and with at most the change `most` of C
// in one projection.
PLI_KERNEL void pli_update_over(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                                const wide3 *d, wide length, wide value, wide weight, float most)
{
    wide drift = wide_set(0.0f), lambda = pli_lambda(p, 0, slot);
    if (p->coefficients.damping != 0.0f)
        drift = pli_drift(p, slot, count, stencil, d) * wide_inverse_above(length, 0.0f);
    wide force = pli_force(p, 0, slot, value, drift), damped = weight;
    if (p->coefficients.damping != 0.0f)
        damped = (wide_set(1.0f) + pli_damping(p, slot)) * weight;
    wide resistance = damped + pli_compliance(p, slot) * (length * length);
    pli_limit_change(most, weight, &force, &resistance);
    wide scale = force * length * wide_inverse_above(resistance, 0.0f);
    if (p->sense != PLI_SENSE_EQUAL)
        scale = pli_clamp(p, lambda, scale * length) * wide_inverse_above(length, 0.0f);
    if (p->lambda[0])
        pli_store_lanes(p, p->lambda[0] + slot, slot, lambda + scale * length);
#pragma GCC unroll 4
    for (int32_t k = 0; k < count; k++)
        pli_move(p, k, slot, &stencil[k], d[k], stencil[k].w * scale);
    pli_store_stencil(p, slot, count, stencil);
}

// Runs a loop over a copy of the projection, so that the compiler knows that no store changes it. It is for constraints that are never
// plain: inequalities.
PLI_KERNEL void pli_run_general(const pli_projection *given, int32_t begin, int32_t end, pli_loop loop, int32_t most)
{
    pli_projection p = *given;
    pli_run_all(&p, begin, end, loop, most);
}

// The same with a specialised copy of the loop for the most common case: an equality without damping or rigidity whose
// multipliers and losses are not kept.
PLI_KERNEL void pli_run_by(const pli_projection *given, int32_t begin, int32_t end, pli_loop loop, int32_t most)
{
#ifndef PLI_COMPACT // In builds for size, one copy serves all cases.
    if (given->plain) {
        pli_projection p = *given;
        p.sense = PLI_SENSE_EQUAL;
        p.coefficients.damping = 0.0f;
        p.compliance_scale = NULL;
        p.lambda[0] = p.lambda[1] = p.lambda[2] = NULL;
        p.lost = NULL;
        p.first = true;
        pli_run_all(&p, begin, end, loop, most);
        return;
    }
#endif
    pli_run_general(given, begin, end, loop, most);
}

PLI_KERNEL void pli_run(const pli_projection *given, int32_t begin, int32_t end, pli_loop loop)
{
    pli_run_by(given, begin, end, loop, WIDE);
}

// Loops that may take several registers at a time are also compiled for one register if their kernels have a pass over a block; otherwise
// one copy takes any number of slots.
#ifdef PLI_MOVES_PAIRS
#define PLI_IN_BLOCKS(run, given, begin, end, loop)                                                                    \
    do {                                                                                                               \
        if ((given)->block > WIDE)                                                                                     \
            run(given, begin, end, loop, (given)->block);                                                              \
        else                                                                                                           \
            run(given, begin, end, loop, WIDE);                                                                        \
    } while (0)
#else
#define PLI_IN_BLOCKS(run, given, begin, end, loop)                                                                    \
    run(given, begin, end, loop, (given)->block > WIDE ? (given)->block : WIDE)
#endif

PLI_KERNEL void pli_run_blocks(const pli_projection *given, int32_t begin, int32_t end, pli_loop loop)
{
    PLI_IN_BLOCKS(pli_run_by, given, begin, end, loop);
}

PLI_KERNEL void pli_run_general_blocks(const pli_projection *given, int32_t begin, int32_t end, pli_loop loop)
{
    PLI_IN_BLOCKS(pli_run_general, given, begin, end, loop);
}

#endif
