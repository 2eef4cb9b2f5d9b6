// Divides ranges into pieces of fixed size, one task each.
#include "base/pieces.h"

typedef struct range_job {
    pli_range range;
    void *data;
    int32_t count, grain;
} range_job;

static void run_task_piece(void *data, int32_t piece)
{
    const range_job *job = data;
    int32_t begin = piece * job->grain;
    int32_t end = job->count - begin > job->grain ? begin + job->grain : job->count;
    job->range(job->data, begin, end);
}

void pli_run_pieces(const pli_task_hooks *tasks, int32_t count, int32_t grain, pli_range range, void *data)
{
    range_job job = {range, data, count, grain};
    int32_t pieces = pli_piece_count(count, grain);
    if (tasks && tasks->run && pieces > 1) {
        tasks->run(tasks->user, pieces, run_task_piece, &job);
        return;
    }
    for (int32_t piece = 0; piece < pieces; piece++)
        run_task_piece(&job, piece);
}

static void run_in_pool(void *user, int32_t count, pli_task task, void *data)
{
    pli_tasks_run(user, count, task, data);
}

pli_task_hooks pli_tasks_hooks(pli_tasks *tasks) { return (pli_task_hooks){.run = run_in_pool, .user = tasks}; }
