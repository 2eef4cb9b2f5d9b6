// Tearing: edges stretched or pulled beyond the thresholds of a deformable split a vertex.
#ifndef PLI_TEARING_TEAR_EDGES_H
#define PLI_TEARING_TEAR_EDGES_H

#include "world/world.h"

// Whether a threshold is set, so that the deformable may tear.
static inline bool pli_tears(const pli_tearing *tearing)
{
    return tearing->stretch < INFINITY || tearing->force < INFINITY;
}

// Refuses thresholds that are out of range or that the method of the world cannot measure.
pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error);

// Tears the edges beyond their threshold, after a step of `dt` seconds.
void pli_world_tear(pli_world *world, float dt);

#endif
