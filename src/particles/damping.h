// The rigid motion of a deformable: damping spares it, and islands with rigid bodies keep it.
#ifndef PLI_PARTICLES_DAMPING_H
#define PLI_PARTICLES_DAMPING_H

#include "model/model.h"

// Share of the motion other than rigid that the world's damping takes in so many seconds: 1 - exp(-damping time).
float pli_damping_share(const pli_world *world, float time);
// Returns the motion of the whole, which it leaves as it is.
pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share);
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable);
// Adds a rigid motion about a centre to the velocities of what can be moved.
void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin);

#endif
