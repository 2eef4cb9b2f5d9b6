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

#endif
