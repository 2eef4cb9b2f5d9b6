// The world's threads divide a range into pieces of fixed size, so that results do not depend on the number of threads.
#include "model/parallel.h"

#include "model/model.h"

void pli_parallel(pli_world *world, int32_t count, int32_t grain, pli_range range, void *data)
{
    pli_task_hooks tasks = pli_tasks_hooks(world->tasks);
    pli_run_pieces(&tasks, count, grain, range, data);
}
