// A limit of motion in steps in which the host moves something fast.
#ifndef PLI_WORLD_FAST_MOTION_H
#define PLI_WORLD_FAST_MOTION_H

#include "world/step.h"

// Notes, before the first substep, how far particles go by themselves in the step.
void pli_fast_motion_begin(pli_world *world, float dt);
// Shortens predicted displacements, after the sweeps of a substep, where something goes further than an edge in it.
void pli_fast_motion_limit(const pli_substep *s);

// How far particles had got in a substep before cloth that bodies press was swept further; in the arena of contacts.
typedef struct pli_fast_pressed {
    float *squares;   // By particle of the store: its displacement beyond the drift of its deformable, squared [m^2].
    pli_vec3 *drifts; // [deformables] mean displacement [m].
} pli_fast_pressed;

// Either is NULL when memory ran out.
pli_fast_pressed pli_fast_motion_measure(pli_world *world);
// Limits displacements of what is pressed, beyond its drift, to what they were then, or to that of the bodies that press it.
void pli_fast_motion_limit_pressed(pli_world *world, pli_fast_pressed before);

#endif
