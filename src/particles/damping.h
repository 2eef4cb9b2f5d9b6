// The rigid motion of a deformable: damping spares it, and islands with rigid bodies keep it.
//
// Only what is free has a rigid motion of its own to spare. A piece that the world holds, by fixed particles, by constraints
// that tie it to the world, or by a rigid body that nothing can push, has that of its pins: none while they rest, and that of the
// carrier where they move. Other rigid bodies and their cloth are free together.
#ifndef PLI_PARTICLES_DAMPING_H
#define PLI_PARTICLES_DAMPING_H

#include "model/model.h"

// Share of the motion other than rigid that the world's damping takes in so many seconds: 1 - exp(-damping time).
float pli_damping_share(const pli_world *world, float time);
// Returns the motion of the whole where nothing holds it, which it leaves as it is. `seconds` is the length of the step.
pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share, double seconds);
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable);
// Adds a rigid motion about a centre to the velocities of what can be moved.
void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin);

#endif
