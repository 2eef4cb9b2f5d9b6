// What stages and edits do to the particles of a deformable.
#ifndef PLI_SOLVER_BODY_H
#define PLI_SOLVER_BODY_H

#include "solver/world.h"

// Copies vertices first..first+count-1 to the arrays in the user's order.
void pli_body_publish(pli_body *body, int32_t first, int32_t count);
// All vertices, on the world's threads.
void pli_body_publish_all(pli_world *world, pli_body *body);
// Sets or clears the hold of the particle at an internal place.
void pli_body_hold(pli_body *body, int32_t place, bool held);

// Makes room for what normals need. False when memory ran out.
bool pli_body_reserve_normals(pli_world *world, pli_body *body);
bool pli_body_reserve_faces(pli_world *world, pli_body *body);
// Unit vertex normals of `positions` (internal order) into body->normals; zero where undefined.
void pli_body_update_normals(pli_world *world, pli_body *body, const pli_particle *positions);

// Stages of a substep of `step` seconds, each over all particles.
void pli_body_accelerate(pli_world *world, pli_body *body, float step);
void pli_body_blow(pli_world *world, pli_body *body, float step);
// Returns the motion of the whole, which it leaves as it is.
pli_whole pli_body_damp(pli_world *world, pli_body *body, float share);
// Measures the motion of the whole, and gives it back after projections: Mueller et al. 2006 find
// velocities from positions, which loses (omega h)^2 / 2 of a spin each substep (docs/decisions/0005).
pli_whole pli_body_measure_whole(pli_world *world, pli_body *body);
void pli_body_restore_whole(pli_world *world, pli_body *body, const pli_whole *wanted);
// Adds a rigid motion about a centre to the velocities of what can be moved.
void pli_body_add_motion(pli_world *world, pli_body *body, pli_dvec3 centre, pli_dvec3 velocity, pli_dvec3 spin);
void pli_body_predict(pli_world *world, pli_body *body, float step);
void pli_body_derive_velocities(pli_world *world, pli_body *body, float step);

#endif
