// What tears: edges stretched or pulled beyond what a deformable bears.
#ifndef PLI_SOLVER_TEAR_H
#define PLI_SOLVER_TEAR_H

#include "solver/world.h"

static inline bool pli_tears(const pli_tearing *tearing)
{
    return tearing->stretch < INFINITY || tearing->force < INFINITY;
}

pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error);

// After a step of `dt` seconds: tears what is beyond its threshold.
void pli_world_tear(pli_world *world, float dt);

#endif
