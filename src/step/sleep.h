// Idle objects take no part in a step: they are paused or asleep.
#ifndef PLI_STEP_SLEEP_H
#define PLI_STEP_SLEEP_H

#include "model/model.h"

typedef struct pli_sleep {
    bool asleep;
    double still_time; // Time at rest [s].
    pli_dvec3 low,
        high; // While it is asleep: bounds of the deformable and its thickness in the application's coordinates [m].
} pli_sleep;

// Before a step of dt: wakes objects that were changed or may be touched, and marks all objects that take no part in it as idle.
void pli_world_choose_idle(pli_world *world, float dt);
// At the end of a step of dt, before it is published: objects that have been at rest for long enough fall asleep.
void pli_world_fall_asleep(pli_world *world, float dt);

#endif
