// What tears: edges stretched or pulled beyond what a deformable bears.
#ifndef PLI_TEARING_TEAR_EDGES_H
#define PLI_TEARING_TEAR_EDGES_H

#include "model/model.h"

pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error);

// After a step of `dt` seconds: tears what is beyond its threshold.
void pli_world_tear(pli_world *world, float dt);

// The mesh of a deformable as it is now, at rest.
pli_status pli_deformable_data_mesh(pli_world *world, pli_deformable_data *deformable, const pli_mesh **mesh,
                                    pli_error *error);

#endif
