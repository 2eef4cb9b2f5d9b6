// Deformables that take no part in a step: paused ones, and those that sleep.
#ifndef PLI_APART_SLEEP_H
#define PLI_APART_SLEEP_H

#include "model/model.h"

// Before a step of dt: wakes what is asked for or touched, and marks those that take no part in it as idle.
void pli_world_choose_idle(pli_world *world, float dt);
// At the end of a step of dt, before it is published: what has been at rest for long enough falls asleep.
void pli_world_fall_asleep(pli_world *world, float dt);

#endif
