// The rigid motion of a deformable: damping spares it, and islands with rigid bodies keep it.
//
// Only what is free has a rigid motion of its own to spare. A piece that the world holds, by fixed particles, by constraints
// that tie it to the world, or by a rigid body that nothing can push, has that of its pins: none while they rest, and that of the
// carrier where they move. Other rigid bodies and their cloth are free together. So is what a hand holds, whose force has a limit: its frame
// jumps ahead of the cloth by the reach, and damping towards that motion would pull with more than the limit.
#ifndef PLI_PARTICLES_DAMPING_H
#define PLI_PARTICLES_DAMPING_H

#include "model/model.h"

// Fraction that dies away at a rate [1/s] in so many seconds: 1 - exp(-rate seconds).
double pli_decay_fraction(double rate, double seconds);
// Damps a deformable of which a piece is pinned, and returns whether one is. To be called before the forces of the substep: what they add
// is balanced by constraints at rest, and damping a part of it would make everything that hangs lighter. `seconds` is the length of the step.
bool pli_deformable_damp_pinned(pli_world *world, pli_deformable_data *deformable, float share, double seconds);
// Damps a deformable that nothing pins, behind its forces, and returns its rigid motion, which stays as it is.
pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share);
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable);
// Adds a rigid motion about a centre to the velocities of what can be moved.
void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin);

#endif
