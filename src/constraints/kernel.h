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

#include "constraints/projection.h"

static inline wide_particle pli_load(const pli_projection *p, const pli_particle *from, int32_t k, int32_t slot)
{
    wide_particle particle;
    wide_load_particles(from, p->index[k] + slot, &particle.x.x, &particle.x.y, &particle.x.z, &particle.w);
    return particle;
}

static inline void pli_load_stencil(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil)
{
    for (int32_t k = 0; k < count; k++)
        stencil[k] = pli_load(p, p->particles, k, slot);
}

static inline void pli_store_stencil(const pli_projection *p, int32_t slot, int32_t count, const wide_particle *stencil)
{
    for (int32_t k = 0; k < count; k++)
        wide_store_particles(p->particles, p->index[k] + slot, stencil[k].x.x, stencil[k].x.y, stencil[k].x.z,
                             stencil[k].w);
}

static inline wide pli_rest(const pli_projection *p, int32_t j, int32_t slot)
{
    return wide_load(p->rest[j] + slot);
}

// alpha / h^2 of each lane: the set's, in series with the physical one.
static inline wide pli_compliance(const pli_projection *p, int32_t slot)
{
    wide compliance = wide_set(p->compliance);
    if (p->compliance_scale)
        compliance = compliance + wide_load(p->compliance_scale + slot) * wide_set(p->inverse_rigidity);
    return compliance;
}

// The multiplier's change for one value; keeps the multiplier when asked to.
static inline wide pli_multiplier(const pli_projection *p, int32_t dimension, int32_t slot, wide value, wide weight,
                                  wide drift)
{
    wide compliance = pli_compliance(p, slot);
    wide lambda = wide_set(0.0f);
    if (p->lambda[0] && !p->first)
        lambda = wide_load(p->lambda[dimension] + slot);
    wide gamma = wide_set(p->damping);
    wide force = -(wide_set(p->stiffness) * value) - compliance * lambda - gamma * drift;
    wide change = force * wide_inverse_above((wide_set(1.0f) + gamma) * weight + compliance, 0.0f);
    if (p->sense == PLI_SENSE_AT_MOST)
        change = wide_min(lambda + change, wide_set(0.0f)) - lambda;
    else if (p->sense == PLI_SENSE_AT_LEAST)
        change = wide_max(lambda + change, wide_set(0.0f)) - lambda;
    if (p->lambda[0])
        wide_store(p->lambda[dimension] + slot, lambda + change);
    return change;
}

static inline wide pli_weight(int32_t count, const wide_particle *stencil, const wide3 *gradients)
{
    wide weight = stencil[0].w * wide3_dot(gradients[0], gradients[0]);
    for (int32_t k = 1; k < count; k++)
        weight = weight + stencil[k].w * wide3_dot(gradients[k], gradients[k]);
    return weight;
}

// grad C . (x - x_prev), only when there is damping.
static inline wide pli_drift(const pli_projection *p, int32_t slot, int32_t count, const wide_particle *stencil,
                             const wide3 *gradients)
{
    wide drift = wide_set(0.0f);
    if (p->damping == 0.0f)
        return drift;
    for (int32_t k = 0; k < count; k++)
        drift = drift + wide3_dot(gradients[k], wide3_sub(stencil[k].x, pli_load(p, p->previous, k, slot).x));
    return drift;
}

// Corrects a loaded stencil for a scalar constraint whose sum of w |grad C|^2 is known, and stores it.
static inline void pli_update_weighted(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                                       const wide3 *gradients, wide value, wide weight)
{
    wide drift = pli_drift(p, slot, count, stencil, gradients);
    wide change = pli_multiplier(p, 0, slot, value, weight, drift);
    for (int32_t k = 0; k < count; k++)
        stencil[k].x = wide3_add_scaled(stencil[k].x, gradients[k], stencil[k].w * change);
    pli_store_stencil(p, slot, count, stencil);
}

static inline void pli_update(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                              const wide3 *gradients, wide value)
{
    pli_update_weighted(p, slot, count, stencil, gradients, value, pli_weight(count, stencil, gradients));
}

// The same for a vector constraint whose gradients are K_k times the identity.
static inline void pli_update_linear(const pli_projection *p, int32_t slot, int32_t count, wide_particle *stencil,
                                     const wide *weights, wide3 value)
{
    wide weight = wide_set(0.0f);
    wide3 drift = {wide_set(0.0f), wide_set(0.0f), wide_set(0.0f)};
    for (int32_t k = 0; k < count; k++)
        weight = weight + stencil[k].w * (weights[k] * weights[k]);
    if (p->damping != 0.0f)
        for (int32_t k = 0; k < count; k++)
            drift = wide3_add_scaled(drift, wide3_sub(stencil[k].x, pli_load(p, p->previous, k, slot).x), weights[k]);
    wide3 change = {
        pli_multiplier(p, 0, slot, value.x, weight, drift.x),
        pli_multiplier(p, 1, slot, value.y, weight, drift.y),
        pli_multiplier(p, 2, slot, value.z, weight, drift.z),
    };
    for (int32_t k = 0; k < count; k++)
        stencil[k].x = wide3_add_scaled(stencil[k].x, change, stencil[k].w * weights[k]);
    pli_store_stencil(p, slot, count, stencil);
}

#endif
