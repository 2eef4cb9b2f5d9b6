// Tearing: an edge stretched or pulled beyond a threshold of its deformable splits a vertex.
#ifndef PLI_TEARING_TEAR_EDGES_H
#define PLI_TEARING_TEAR_EDGES_H

#include "model/model.h"

// Rejects thresholds that are out of range or that the method of the world cannot measure.
pli_status pli_tearing_check(const pli_world *world, const pli_tearing *tearing, pli_error *error);

// Tears the edges that exceed their threshold, after a step of `dt` seconds.
void pli_world_tear(pli_world *world, float dt);

// Returns the rest mesh of a deformable after all cuts.
pli_status pli_deformable_data_mesh(pli_world *world, pli_deformable_data *deformable, const pli_mesh **mesh,
                                    pli_error *error);

#endif
