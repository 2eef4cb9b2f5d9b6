// A limit of motion in steps in which the application moves objects fast.
#ifndef PLI_STEP_FAST_MOTION_H
#define PLI_STEP_FAST_MOTION_H

#include "step/step.h"

// Before the first substep: stores the displacement of particles by their own motion in the step.
void pli_fast_motion_begin(pli_world *world, float dt);
// After the sweeps of a substep: shortens displacements if an object moved further than an edge, or cloth is overstretched.
void pli_fast_motion_limit(const pli_substep *s);

#endif
