// The rigid motion of a deformable: damping leaves it unchanged, and islands with rigid bodies conserve it.
//
// Only free pieces have a rigid motion of their own that damping must leave unchanged. The reference motion of a pinned piece (by fixed
// particles, by constraints that tie it to the world, or by a rigid body that nothing can push) is that of its pins: zero while they rest,
// and the motion of the carrier otherwise. Other rigid bodies and their cloth are free together. A piece in the grab tool, whose force is
// limited, is also free: the tool's frame jumps ahead of the cloth by the reach, and damping towards that motion would exceed the limit.
#ifndef PLI_PARTICLES_DAMPING_H
#define PLI_PARTICLES_DAMPING_H

#include "model/model.h"
#include "particles/momentum.h"

// Fraction that decays at a rate [1/s] over a number of seconds: 1 - exp(-rate seconds).
double pli_decay_fraction(double rate, double seconds);
// Damps a deformable with a pinned piece, and returns whether it has one. Call it before the forces of the substep: constraints at rest
// balance the velocity that forces add, and damping a part of it would make hanging cloth lighter. `seconds` is the length of the step.
bool pli_deformable_damp_pinned(pli_world *world, pli_deformable_data *deformable, float share, double seconds);
// Damps a deformable without pins, after its forces, and returns its rigid motion, which does not change.
pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share);
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable);
// Adds a rigid motion about a centre to the velocities of all particles that can move.
void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin);

#endif
