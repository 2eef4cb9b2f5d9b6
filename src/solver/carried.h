// Surfaces of colliders, for contact with the surfaces of deformables: of meshes and hulls, and of
// whatever a rigid body carries.
#ifndef PLI_SOLVER_CARRIED_H
#define PLI_SOLVER_CARRIED_H

#include "solver/world.h"

// Whether a new collider collides as a surface of triangles, which solid->mesh then is.
bool pli_solid_has_triangles(const pli_solid *solid);
// Makes the surface a new collider needs, if any. False when memory ran out.
bool pli_solid_take_surface(pli_world *world, pli_solid *solid);
// Puts vertices of the colliders that bodies carry where pushes have left the bodies.
void pli_world_lay_carried(pli_world *world);

#endif
