// What stages and edits do to the particles of a deformable.
#ifndef PLI_MODEL_DEFORMABLE_PARTS_H
#define PLI_MODEL_DEFORMABLE_PARTS_H

#include "world/world.h"

// Copies vertices first..first+count-1 to the arrays in the user's order.
void pli_deformable_publish(pli_deformable_data *deformable, int32_t first, int32_t count);
// All vertices, on the world's threads.
void pli_deformable_publish_all(pli_world *world, pli_deformable_data *deformable);
// Sets or clears the hold of the particle at an internal place.
void pli_deformable_fix(pli_deformable_data *deformable, int32_t place, bool held);

// Makes room for what normals need. False when memory ran out.
bool pli_deformable_reserve_normals(pli_world *world, pli_deformable_data *deformable);
bool pli_deformable_reserve_faces(pli_world *world, pli_deformable_data *deformable);
// Unit vertex normals of `positions` (internal order) into body->normals; zero where undefined.
void pli_deformable_update_normals(pli_world *world, pli_deformable_data *deformable, const pli_particle *positions);

// Stages of a substep of `step` seconds, each over all particles.
void pli_deformable_accelerate(pli_world *world, pli_deformable_data *deformable, float step);
void pli_deformable_add_wind(pli_world *world, pli_deformable_data *deformable, float step);
// Returns the motion of the whole, which it leaves as it is.
pli_rigid_motion pli_deformable_damp(pli_world *world, pli_deformable_data *deformable, float share);
// Measures the motion of the whole, and gives it back after projections: Mueller et al. 2006 find
// velocities from positions, which loses (omega h)^2 / 2 of a spin each substep (docs/decisions/0005).
pli_rigid_motion pli_deformable_measure_rigid_motion(pli_world *world, pli_deformable_data *deformable);
void pli_deformable_restore_rigid_motion(pli_world *world, pli_deformable_data *deformable,
                                         const pli_rigid_motion *wanted);
// Adds a rigid motion about a centre to the velocities of what can be moved.
void pli_deformable_add_motion(pli_world *world, pli_deformable_data *deformable, pli_dvec3 centre, pli_dvec3 velocity,
                               pli_dvec3 spin);
void pli_deformable_predict(pli_world *world, pli_deformable_data *deformable, float step);
void pli_deformable_derive_velocities(pli_world *world, pli_deformable_data *deformable, float step);

#endif
