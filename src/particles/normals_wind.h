// Vertex normals, and wind and pressure on triangles.
#ifndef PLI_PARTICLES_NORMALS_WIND_H
#define PLI_PARTICLES_NORMALS_WIND_H

#include "model/model.h"

// Allocates the arrays for normals. False when memory ran out.
bool pli_deformable_reserve_normals(pli_world *world, pli_deformable_data *deformable);
bool pli_deformable_reserve_faces(pli_world *world, pli_deformable_data *deformable);
// Unit vertex normals of `positions` (internal order) into body->normals; zero where undefined.
void pli_deformable_update_normals(pli_world *world, pli_deformable_data *deformable, const pli_particle *positions);

// Adds the force of the air during a substep of `step` seconds, which starts `since` seconds into the step, to the velocities.
void pli_deformable_add_wind(pli_world *world, pli_deformable_data *deformable, float step, double since);
// Adds the force of the painted pressure to the velocities.
void pli_deformable_add_pressure(pli_world *world, pli_deformable_data *deformable, float step);

#endif
