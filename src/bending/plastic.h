// Plastic bending: a bend beyond the yield curvature becomes partly permanent.
//
//   Simo and Hughes 1998, Computational Inelasticity, section 1.2 (return mapping, isotropic hardening), for the curvature.
//
//     excess   e = curvature - curvature at rest          yields where |e| > y + H b
//     at most  d = (|e| - y - H b) / (1 + H)              the bend that stays if it is kept for a long time
//     stays    s = min(d, |e| (1 - exp(-t / T)))          curvature at rest += s e / |e|,    b += s
//
// y is the yield curvature [1/m], H the hardening, b the permanent bend so far, and t the length of the step. An excess relaxes with the
// time constant T, as the stress of a Maxwell material, until it reaches the yield. This is the exact solution for a constant excess, so
// the result does not depend on the lengths of the steps. A released sheet overshoots for a moment and hardly flows in that time. The full
// excess is mapped once, at the end of a step, from positions alone, so a failed step has nothing to undo.
//
// The curvature is a scalar of a constraint (pli_constraint_type.bend), or the tensor of a triangle of a plate with its Frobenius norm,
// which is |curvature| of a cylinder (bending/creases.c).
#ifndef PLI_BENDING_PLASTIC_H
#define PLI_BENDING_PLASTIC_H

#include "base/stream.h"
#include "bending/creases.h"

// The part of an excess that stays [1/m], >= 0, in a step in which this fraction of it flows.
static inline double pli_bend_that_stays(double excess, double yield, double hardening, double bent, double fraction)
{
    const double beyond = excess - yield - hardening * bent;
    return beyond > 0.0 ? fmin(fraction * excess, beyond / (1.0 + hardening)) : 0.0;
}

// Passes the permanent bends of a set through a snapshot. The check allocates memory for them, since reading must not fail.
void pli_pass_bends(pli_stream *s, pli_world *world, pli_constraints_data *set);

#endif
