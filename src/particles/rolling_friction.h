// Rolling friction: the torque by which contacts with shapes resist that a piece rolls on them.
//
//   Johnson 1985, Contact Mechanics, chapter 9: a rolling body is compressed in front of the middle of its contact and
//   recovers behind it. The rear half returns the torque of the front half less the fraction of energy lost, so that the
//   centre of pressure is ahead by a lever. The normal force times the lever is the maximum torque.
//
// The lever is the sum of two terms.
//
// - An inflated piece has its own lever. A collision with restitution e loses 1 - e^2 of its energy; the same fraction is
//   lost here, so that a contact of restitution 0 returns nothing. The footprint is the one of the contacts: 3/16 of its
//   radius for Hertz's pressure. Other pieces lose enough energy by folding.
// - A collider's `rolling_friction` [m] is a lever that the user knows.
//
// Without rolling friction a ball rolls forever, and one that is not quite round does not come to rest: contacts of particles lose almost
// nothing when they begin and end, and a footprint that returns all energy moves along with the rolling body.
#ifndef PLI_PARTICLES_ROLLING_FRICTION_H
#define PLI_PARTICLES_ROLLING_FRICTION_H

#include "model/model.h"

// Whether any collider has rolling friction.
bool pli_world_resists_rolling(const pli_world *world);
// Called after friction, for a deformable whose pieces are known: adds its contacts with analytic shapes, the contacts of all deformables
// with collider surfaces, and the torque of both. A piece without rigid motion does not roll.
void pli_deformable_find_footprints(pli_world *world, pli_deformable_data *deformable, float step);
void pli_world_add_surfaces_to_footprints(const pli_world *world, float step);
void pli_deformable_resist_rolling(pli_deformable_data *deformable, float step);

#endif
