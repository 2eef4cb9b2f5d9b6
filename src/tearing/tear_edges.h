// What tears: edges stretched or pulled beyond what a deformable bears.
#ifndef PLI_TEARING_TEAR_EDGES_H
#define PLI_TEARING_TEAR_EDGES_H

#include "world/world.h"

static inline bool pli_tears(const pli_tearing *tearing)
{
    return tearing->stretch < INFINITY || tearing->force < INFINITY;
}

pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error);

// After a step of `dt` seconds: tears what is beyond its threshold.
void pli_world_tear(pli_world *world, float dt);

#endif
