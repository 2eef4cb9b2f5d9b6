// Particles that are held back: in a step, continuous collision detection and the work budget removed more of a particle's path than
// they left, that is, more than the distance between its positions at the start and at the end of the step:
//
//     taken     sum over substeps of what planes, stops and shortened motion cut from its trajectory
//     left      | x at the end - x at the start |
//     held back if taken > left and taken > half of what gravity moves a particle that starts each substep at rest
//
// Corrections by contacts and constraints do not count. Each particle has a timer of how long it has been held back without interruption,
// which snapshots keep. A particle is stuck after PLI_STUCK_TIME.
#ifndef PLI_STEP_STUCK_H
#define PLI_STEP_STUCK_H

#include "model/model.h"

// In a step, after continuous collision detection: reserves the timers if it has shortened any path. False when memory ran out.
bool pli_world_reserve_held_back(pli_world *world);

#endif
