// A limit of motion in steps in which the host moves something fast.
#ifndef PLI_WORLD_FAST_MOTION_H
#define PLI_WORLD_FAST_MOTION_H

#include "world/step.h"

// Notes, before the first substep, how far particles go by themselves in the step.
void pli_fast_motion_begin(pli_world *world, float dt);
// Shortens predicted displacements, after the sweeps of a substep, where something goes further than an edge in it.
void pli_fast_motion_limit(const pli_substep *s);

#endif
