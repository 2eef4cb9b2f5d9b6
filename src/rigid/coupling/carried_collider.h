// Contact surfaces of colliders, for contact with the surfaces of deformables: of meshes and hulls, of every shape that a
// rigid body carries, and of every shape that is narrow beside the triangles of a deformable.
#ifndef PLI_RIGID_COUPLING_CARRIED_COLLIDER_H
#define PLI_RIGID_COUPLING_CARRIED_COLLIDER_H

#include "model/model.h"

// Whether a new collider collides as a surface of triangles, which are those of collider->mesh.
bool pli_collider_has_triangles(const pli_collider_data *collider);
// Makes the contact surface of a new collider, if it needs one. False when memory ran out.
bool pli_collider_take_surface(pli_world *world, pli_collider_data *collider);
// Gives the surface the contact parameters of the definition.
void pli_collider_set_material(pli_collider_data *collider);
// Moves the vertices of carried colliders to the poses of their rigid bodies after the projections.
void pli_world_place_carried(pli_world *world);
// Takes a body, with all that it carries, back to a share (0..1) of its way in this substep.
void pli_world_stop_rigid(pli_world *world, pli_rigid_body_data *body, float share);

#endif
