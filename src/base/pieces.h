// Parallel loops over ranges, divided into pieces of a fixed size. Results do not depend on the number of threads.
#ifndef PLI_BASE_PIECES_H
#define PLI_BASE_PIECES_H

#include "base/tasks.h"

typedef void (*pli_range)(void *data, int32_t begin, int32_t end);

// Runs `range` over [0, count) in pieces of `grain`, in parallel on `tasks`, or in order on this thread when `tasks` or
// its `run` is null.
void pli_run_pieces(const pli_task_hooks *tasks, int32_t count, int32_t grain, pli_range range, void *data);

// Returns the pool as hooks, for functions that also run without a pool.
pli_task_hooks pli_tasks_hooks(pli_tasks *tasks);

// Returns the number of pieces of `count` >= 0 items.
static inline int32_t pli_piece_count(int32_t count, int32_t grain)
{
    return (int32_t)(((int64_t)count + grain - 1) / grain);
}

#endif
