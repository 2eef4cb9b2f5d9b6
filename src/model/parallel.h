// Ranges that are divided among the world's threads.
#ifndef PLI_MODEL_PARALLEL_H
#define PLI_MODEL_PARALLEL_H

#include "base/pieces.h"
#include "model/model.h"

// Runs `range` over [0, count) in pieces of `grain` on the world's threads.
void pli_parallel(pli_world *world, int32_t count, int32_t grain, pli_range range, void *data);

#endif
