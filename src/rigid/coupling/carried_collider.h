// Contact surfaces of colliders, for contact with the surfaces of deformables. Meshes and hulls have one,
// as do shapes that a rigid body carries and shapes that are narrow compared with the triangles of a deformable.
#ifndef PLI_RIGID_COUPLING_CARRIED_COLLIDER_H
#define PLI_RIGID_COUPLING_CARRIED_COLLIDER_H

#include "model/model.h"

// Whether a new collider collides as a surface with the triangles of collider->mesh.
bool pli_collider_has_triangles(const pli_collider_data *collider);
// Makes the contact surface of a new collider, if it needs one. Returns false when out of memory.
bool pli_collider_take_surface(pli_world *world, pli_collider_data *collider);
// Gives the surface the contact parameters of the definition.
void pli_collider_set_material(pli_collider_data *collider);
// Moves the vertices of carried colliders to the poses of their rigid bodies after the projections.
void pli_world_place_carried(pli_world *world);
// Moves a body and the colliders that it carries back to a fraction (0..1) of its displacement in this substep.
void pli_world_stop_rigid(pli_world *world, pli_rigid_body_data *body, float share);

#endif
