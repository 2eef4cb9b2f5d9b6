// Rolling friction: the torque by which contacts with shapes resist that a piece rolls on them.
//
//   Johnson 1985, Contact Mechanics, section 9.3: what is lost in the deformation of a contact moves the pressure ahead of
//   its middle, by a lever of a given length. The normal force times the lever is the most that the torque can be.
//
// Without it a ball rolls on for ever, and one that is not quite round finds no rest: contacts of particles lose next to
// nothing when they begin and end.
#ifndef PLI_PARTICLES_ROLLING_FRICTION_H
#define PLI_PARTICLES_ROLLING_FRICTION_H

#include "model/model.h"

// Whether any collider has rolling friction.
bool pli_world_resists_rolling(const pli_world *world);
// After friction, for a deformable whose pieces are known. A piece that is held does not roll.
void pli_deformable_resist_rolling(pli_world *world, pli_deformable_data *deformable, float step);

#endif
