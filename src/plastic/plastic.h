// Plastic bending: what is bent beyond its yield curvature keeps part of the bend.
//
//   Simo and Hughes 1998, Computational Inelasticity, section 1.2 (return mapping, isotropic hardening), for the curvature.
//
//     excess   e = curvature - curvature at rest          yields where |e| > y + H b
//     at most  d = (|e| - y - H b) / (1 + H)              the bend that stays where it is held for long
//     stays    s = min(d, |e| (1 - exp(-t / T)))          curvature at rest += s e / |e|,    b += s
//
// y is the yield curvature [1/m], H the hardening, b what has stayed so far, and t the length of the step. An excess flows away with the time T, as
// the stress of a Maxwell material, until it reaches the yield: the exact solution for an excess that is held, so that steps of any
// length add up to the same. A sheet that is let go overshoots for a moment, and hardly flows in that. The whole excess is mapped once, at the end of a
// step, from positions alone, so that nothing is to be undone when a step fails.
//
// The curvature is a number of a constraint (pli_constraint_type.bend), or the tensor of a triangle of a plate with its Frobenius norm,
// which is |curvature| of a cylinder (plastic/creases.c).
#ifndef PLI_PLASTIC_PLASTIC_H
#define PLI_PLASTIC_PLASTIC_H

#include "plastic/creases.h"

// How much of an excess stays [1/m], >= 0, in a step in which this fraction of it flows.
static inline double pli_bend_that_stays(double excess, double yield, double hardening, double bent, double fraction)
{
    const double beyond = excess - yield - hardening * bent;
    return beyond > 0.0 ? fmin(fraction * excess, beyond / (1.0 + hardening)) : 0.0;
}

// Allocates what the next step needs to keep bends. False when memory ran out.
bool pli_world_reserve_bends(pli_world *world);
// Lets all that is not idle keep its bends, at the end of a step of so many seconds.
void pli_world_keep_bends(pli_world *world, double seconds);

#endif
