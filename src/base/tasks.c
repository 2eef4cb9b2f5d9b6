// A pool of threads with static partition and work stealing. Each thread begins with its own part of the items, the
// same part in every loop so that its data stays in its cache, and then takes items of other parts. Items are
// independent, so results do not depend on which thread runs which item.
#define _POSIX_C_SOURCE 200809L
#include "base/tasks.h"

#include "base/stop_request.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { SPINS_BEFORE_YIELD = 2000, THREADS_MAX = 64 };

// The next item in the part of one thread. The upper half is the number of the job and the lower half the item, so a
// thread that wakes late can never take an item of a job that it has not read (ABA).
typedef struct worker_lane {
    _Alignas(64) _Atomic uint64_t ticket;
} worker_lane;

struct pli_tasks {
    worker_lane lanes[THREADS_MAX];
    pli_task_hooks hooks;
    int32_t thread_count; // Number of threads, including the calling thread.
    pthread_t threads[THREADS_MAX];
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic int32_t named; // Number of threads that have taken their number.
    _Atomic bool awake, stop;
    pli_stop_request request;
    bool wanted; // The next loop that needs threads wakes them.
    _Alignas(64) _Atomic int32_t finished;
    _Atomic int32_t count;
    _Atomic(pli_task) task;
    _Atomic(void *) data;
};

void pli_tasks_pause(int32_t *spins)
{
    if (++*spins < SPINS_BEFORE_YIELD) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
        return;
    }
    *spins = 0;
    sched_yield();
}

static int32_t part_begin(int32_t part, int32_t parts, int32_t count)
{
    return (int32_t)((int64_t)part * count / parts);
}

// Takes items of one part of job `job` until none is left. The job cannot be replaced while one of its items is taken
// and unfinished, so the fields read after taking an item belong to this job.
static void run_task_part(pli_tasks *tasks, uint32_t job, int32_t part)
{
    _Atomic uint64_t *next = &tasks->lanes[part].ticket;
    uint64_t ticket = atomic_load_explicit(next, memory_order_acquire);
    while ((uint32_t)(ticket >> 32) == job) {
        int32_t item = (int32_t)(uint32_t)ticket;
        int32_t count = atomic_load_explicit(&tasks->count, memory_order_relaxed);
        if (item >= part_begin(part + 1, tasks->thread_count, count))
            return;
        if (!atomic_compare_exchange_weak_explicit(next, &ticket, ticket + 1, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        pli_task task = atomic_load_explicit(&tasks->task, memory_order_relaxed);
        task(atomic_load_explicit(&tasks->data, memory_order_relaxed), item);
        atomic_fetch_add_explicit(&tasks->finished, 1, memory_order_release);
        ticket = atomic_load_explicit(next, memory_order_acquire);
    }
}

static void take_items(pli_tasks *tasks, uint32_t job, int32_t own)
{
    for (int32_t i = 0; i < tasks->thread_count; i++)
        run_task_part(tasks, job, (own + i) % tasks->thread_count);
}

static uint32_t task_job(const pli_tasks *tasks, int32_t part)
{
    return (uint32_t)(atomic_load_explicit(&tasks->lanes[part].ticket, memory_order_acquire) >> 32);
}

static void sleep_until_woken(pli_tasks *tasks)
{
    pthread_mutex_lock(&tasks->mutex);
    while (!atomic_load(&tasks->awake) && !atomic_load(&tasks->stop))
        pthread_cond_wait(&tasks->wake, &tasks->mutex);
    pthread_mutex_unlock(&tasks->mutex);
}

static void *work_for_tasks(void *argument)
{
    pli_tasks *tasks = argument;
    int32_t own = atomic_fetch_add(&tasks->named, 1) + 1, spins = 0;
    uint32_t done = 0;
    while (!atomic_load_explicit(&tasks->stop, memory_order_acquire)) {
        uint32_t job = task_job(tasks, own);
        if (job != done) {
            take_items(tasks, job, own);
            done = job;
            spins = 0;
        } else if (atomic_load_explicit(&tasks->awake, memory_order_acquire)) {
            pli_tasks_pause(&spins);
        } else {
            sleep_until_woken(tasks);
        }
    }
    return NULL;
}

pli_tasks *pli_tasks_create(pli_memory *memory, int32_t thread_count, const pli_task_hooks *hooks)
{
    pli_tasks *tasks = PLI_ALLOCATE(memory, pli_tasks, 1);
    if (!tasks)
        return NULL;
    tasks->hooks = *hooks;
    tasks->thread_count = 1;
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    if (hooks->run)
        return tasks;
    // The count is final before a thread reads it, since threads wait for the number of the first job.
    int32_t made = 1;
    for (; made < thread_count && made < THREADS_MAX; made++)
        if (pthread_create(&tasks->threads[made], NULL, work_for_tasks, tasks) != 0)
            break;
    tasks->thread_count = made;
    return tasks;
}

void pli_tasks_destroy(pli_memory *memory, pli_tasks *tasks)
{
    if (!tasks)
        return;
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->stop, true);
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
    for (int32_t i = 1; i < tasks->thread_count; i++)
        pthread_join(tasks->threads[i], NULL);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    pli_release(memory, tasks);
}

static _Thread_local bool inside_task;

bool pli_tasks_mark(bool inside)
{
    bool before = inside_task;
    inside_task = inside;
    return before;
}

int32_t pli_tasks_width(const pli_tasks *tasks) { return inside_task ? 1 : tasks->hooks.run ? 0 : tasks->thread_count; }

void pli_tasks_wake(pli_tasks *tasks) { tasks->wanted = true; }

static void wake_threads(pli_tasks *tasks)
{
    if (!tasks->wanted || atomic_load_explicit(&tasks->awake, memory_order_relaxed))
        return;
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->awake, true);
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
}

void pli_tasks_sleep(pli_tasks *tasks)
{
    tasks->wanted = false;
    atomic_store(&tasks->awake, false);
}

pli_stop_request *pli_tasks_stop_request(pli_tasks *tasks) { return &tasks->request; }

void pli_tasks_run(pli_tasks *tasks, int32_t count, pli_task task, void *data)
{
    if (tasks && count > 1 && !inside_task && tasks->hooks.run) {
        tasks->hooks.run(tasks->hooks.user, count, task, data);
        return;
    }
    if (!tasks || count <= 1 || inside_task || tasks->thread_count == 1) {
        for (int32_t i = 0; i < count; i++)
            task(data, i);
        return;
    }

    wake_threads(tasks);
    // No item of an older job is unfinished here, and late threads see exhausted parts until the new tickets are
    // stored.
    uint32_t job = task_job(tasks, 0) + 1;
    for (int32_t part = 0; part < tasks->thread_count; part++)
        atomic_store_explicit(&tasks->lanes[part].ticket, (uint64_t)(job - 1) << 32 | INT32_MAX, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&tasks->finished, 0, memory_order_relaxed);
    atomic_store_explicit(&tasks->task, task, memory_order_relaxed);
    atomic_store_explicit(&tasks->data, data, memory_order_relaxed);
    atomic_store_explicit(&tasks->count, count, memory_order_relaxed);
    for (int32_t part = 0; part < tasks->thread_count; part++)
        atomic_store_explicit(&tasks->lanes[part].ticket,
                              (uint64_t)job << 32 | (uint32_t)part_begin(part, tasks->thread_count, count),
                              memory_order_release);
    take_items(tasks, job, 0);
    int32_t spins = 0;
    while (atomic_load_explicit(&tasks->finished, memory_order_acquire) < count)
        pli_tasks_pause(&spins);
}
