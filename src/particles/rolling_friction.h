// Rolling friction: the torque by which contacts with shapes resist that a piece rolls on them.
//
//   Johnson 1985, Contact Mechanics, chapter 9: what rolls is deformed in front of the middle of its contact and
//   gives back behind it. Of the torque of the front half the rear half lacks the share that is lost, so that the
//   pressure has its middle ahead by a lever. The normal force times the lever is the most that the torque can be.
//
// The lever is the sum of two.
//
// - An inflated piece has one of its own. A collision with restitution e loses 1 - e^2 of its energy; the same share is
//   lost here, so that a contact of restitution 0 gives back nothing. The footprint is that of the contacts: 3/16 of its
//   radius for Hertz's pressure. Other pieces lose enough by folding.
// - A collider's `rolling_friction` [m] is one that the user knows.
//
// Without any a ball rolls on for ever, and one that is not quite round finds no rest: contacts of particles lose next to
// nothing when they begin and end, and a footprint that gives back all moves along with what rolls.
#ifndef PLI_PARTICLES_ROLLING_FRICTION_H
#define PLI_PARTICLES_ROLLING_FRICTION_H

#include "model/model.h"

// Whether any collider has rolling friction.
bool pli_world_resists_rolling(const pli_world *world);
// After friction, for a deformable whose pieces are known: its contacts with analytic shapes, those of all deformables with
// surfaces of colliders, and the torque of both. A piece that is held does not roll.
void pli_deformable_find_footprints(pli_world *world, pli_deformable_data *deformable, float step);
void pli_world_add_surfaces_to_footprints(const pli_world *world, float step);
void pli_deformable_resist_rolling(pli_deformable_data *deformable, float step);

#endif
