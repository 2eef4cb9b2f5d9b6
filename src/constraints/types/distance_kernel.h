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

// The two ends of a register of constraints, and the factor by which they move along their difference.
typedef struct distance_ends {
    pli_bundle at[2], along;
    wide masses[2], scale;
} distance_ends;

// Finds the correction of C = |x0 - x1| - slack l0.
PLI_KERNEL distance_ends distance_correct(const pli_projection *p, int32_t slot, wide slack)
{
    distance_ends e;
    pli_load_bundles(p, slot, 2, e.at, e.masses);
    e.along = pli_bundle_subtract(e.at[0], e.at[1]);
    wide3 d = pli_bundle_vectors(e.along);
    wide length = wide3_length(d), value = length - slack * pli_rest(p, 0, slot);
    e.scale = pli_scale_along(p, slot, 2, d, length, distance_shares, value, e.masses[0] + e.masses[1]);
    return e;
}

#ifdef PLI_MOVES_PAIRS
// A projection waits for its root and its division, and a processor looks ahead by only about two hundred instructions. To overlap more
// projections, a first pass computes how far the particles of a block move, and a second pass moves them (docs/decisions/schedules.md).
PLI_KERNEL void distance_project_block(const pli_projection *p, int32_t begin, int32_t end, wide slack)
{
    float shares[2][PLI_BLOCK];
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        distance_ends e = distance_correct(p, slot, slack);
        for (int32_t k = 0; k < 2; k++)
            wide_store(shares[k] + slot - begin, pli_move_factor(e.masses[k], distance_shares[k], e.scale));
    }
    pli_move_pairs(p, begin, end, shares[0], shares[1]);
}
#endif

PLI_KERNEL void distance_project_slots(const pli_projection *p, int32_t begin, int32_t end, wide slack)
{
#ifdef PLI_MOVES_PAIRS
    if (end - begin > WIDE && !p->is_contiguous && !p->lost) {
        distance_project_block(p, begin, end, slack);
        return;
    }
#endif
    for (int32_t slot = begin; slot < end; slot += WIDE) {
        distance_ends e = distance_correct(p, slot, slack);
        pli_move_bundles(p, slot, 2, e.at, e.masses, &e.along, distance_shares, e.scale);
    }
}

PLI_LOOP distance_loop(const pli_projection *p, int32_t begin, int32_t end)
{
    distance_project_slots(p, begin, end, wide_set(1.0f));
}

#endif
