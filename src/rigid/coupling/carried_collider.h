// Surfaces of colliders, for contact with the surfaces of deformables: of meshes and hulls, and of
// whatever a rigid body carries.
#ifndef PLI_RIGID_COUPLING_CARRIED_COLLIDER_H
#define PLI_RIGID_COUPLING_CARRIED_COLLIDER_H

#include "model/model.h"

// Whether a new collider collides as a surface of triangles, which solid->mesh then is.
bool pli_collider_has_triangles(const pli_collider_data *collider);
// Makes the surface a new collider needs, if any. False when memory ran out.
bool pli_collider_take_surface(pli_world *world, pli_collider_data *collider);
// Puts vertices of the colliders that bodies carry where pushes have left the bodies.
void pli_world_place_carried(pli_world *world);

#endif
