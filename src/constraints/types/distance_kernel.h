// The distance constraint, shared by edges, sticks and opposite vertices.
//
//   Jakobsen 2001; Mueller et al. 2006, Position Based Dynamics, eqs. (10), (11).
//
//        x0 o---- l ----o x1        C = |x0 - x1| - l0,  n = (x0 - x1) / |x0 - x1|
//                                   grad0 C = n,  grad1 C = -n
#ifndef PLI_CONSTRAINTS_TYPES_DISTANCE_KERNEL_H
#define PLI_CONSTRAINTS_TYPES_DISTANCE_KERNEL_H

#include "base/vector.h"
#include "constraints/kernel.h"

static bool distance_rest(const pli_stencil *s, float *rest)
{
    double length = pli_dlength(pli_dsub(pli_dmake(s->positions[0]), pli_dmake(s->positions[1])));
    rest[0] = (float)length;
    return length > 0.0;
}

static void distance_evaluate(const pli_stencil *s, double *values, double *gradients)
{
    pli_dvec3 d = pli_dsub(pli_dmake(s->positions[0]), pli_dmake(s->positions[1]));
    double length = pli_dlength(d);
    values[0] = length - (double)s->rest[0];
    if (!gradients)
        return;
    pli_dvec3 n = length > 0.0 ? pli_dscale(d, 1.0 / length) : (pli_dvec3){0};
    for (int32_t k = 0; k < 2; k++) {
        double side = k == 0 ? 1.0 : -1.0;
        gradients[3 * k] = side * n.x, gradients[3 * k + 1] = side * n.y, gradients[3 * k + 2] = side * n.z;
    }
}

static const float distance_shares[2] = {1.0f, -1.0f};

PLI_LOOP distance_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        pli_bundle ends[2];
        wide masses[2];
        pli_load_bundles(p, slot, 2, ends, masses);
        pli_bundle along = pli_bundle_subtract(ends[0], ends[1]);
        wide3 d = pli_bundle_vectors(along);
        wide length = wide3_length(d);
        wide value = length - pli_rest(p, 0, slot);
        pli_update_bundles(p, slot, 2, ends, masses, &along, d, length, distance_shares, value, masses[0] + masses[1]);
    }
}

static inline void distance_project(const pli_projection *p, int32_t begin, int32_t end)
{
    pli_run(p, begin, end, distance_loop);
}

#endif
