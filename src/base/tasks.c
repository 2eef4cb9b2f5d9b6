// A pool whose threads take items from a shared counter. Items never depend on one another, so
// which thread takes which does not matter to the results.
#define _POSIX_C_SOURCE 200809L
#include "base/tasks.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { SPINS_BEFORE_YIELD = 2000, THREADS_MAX = 64 };

// One job at a time. `ticket` carries the job's number in its upper half and the next item in its
// lower half, so that a thread that wakes late can never take an item of a job it has not read.
struct pli_tasks {
    pli_task_hooks hooks;
    int32_t thread_count; // The pool's own, without the caller.
    pthread_t threads[THREADS_MAX];
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    _Atomic bool awake, stop;
    _Atomic uint64_t ticket;
    _Atomic int32_t finished;
    _Atomic int32_t count;
    _Atomic(pli_task) task;
    _Atomic(void *) data;
};

static void pause_briefly(int32_t *spins)
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

// Takes items of job `job` until none is left. The job cannot be replaced while an item of it is
// taken and unfinished, so what is read after taking one belongs to it.
static void take_items(pli_tasks *tasks, uint32_t job)
{
    uint64_t ticket = atomic_load_explicit(&tasks->ticket, memory_order_acquire);
    while ((uint32_t)(ticket >> 32) == job) {
        int32_t item = (int32_t)(uint32_t)ticket;
        if (item >= atomic_load_explicit(&tasks->count, memory_order_relaxed))
            return;
        if (!atomic_compare_exchange_weak_explicit(&tasks->ticket, &ticket, ticket + 1, memory_order_acq_rel,
                                                   memory_order_acquire))
            continue;
        pli_task task = atomic_load_explicit(&tasks->task, memory_order_relaxed);
        task(atomic_load_explicit(&tasks->data, memory_order_relaxed), item);
        atomic_fetch_add_explicit(&tasks->finished, 1, memory_order_release);
        ticket = atomic_load_explicit(&tasks->ticket, memory_order_acquire);
    }
}

static void sleep_until_woken(pli_tasks *tasks)
{
    pthread_mutex_lock(&tasks->mutex);
    while (!atomic_load(&tasks->awake) && !atomic_load(&tasks->stop))
        pthread_cond_wait(&tasks->wake, &tasks->mutex);
    pthread_mutex_unlock(&tasks->mutex);
}

static void *work(void *argument)
{
    pli_tasks *tasks = argument;
    int32_t spins = 0;
    uint32_t done = 0;
    while (!atomic_load_explicit(&tasks->stop, memory_order_acquire)) {
        uint32_t job = (uint32_t)(atomic_load_explicit(&tasks->ticket, memory_order_acquire) >> 32);
        if (job != done) {
            take_items(tasks, job);
            done = job;
            spins = 0;
        } else if (atomic_load_explicit(&tasks->awake, memory_order_acquire)) {
            pause_briefly(&spins);
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
    pthread_mutex_init(&tasks->mutex, NULL);
    pthread_cond_init(&tasks->wake, NULL);
    if (hooks->run)
        return tasks;
    for (int32_t i = 1; i < thread_count && i < THREADS_MAX; i++) {
        if (pthread_create(&tasks->threads[tasks->thread_count], NULL, work, tasks) != 0)
            break;
        tasks->thread_count++;
    }
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
    for (int32_t i = 0; i < tasks->thread_count; i++)
        pthread_join(tasks->threads[i], NULL);
    pthread_cond_destroy(&tasks->wake);
    pthread_mutex_destroy(&tasks->mutex);
    pli_release(memory, tasks);
}

void pli_tasks_wake(pli_tasks *tasks)
{
    if (tasks->thread_count == 0)
        return;
    pthread_mutex_lock(&tasks->mutex);
    atomic_store(&tasks->awake, true);
    pthread_cond_broadcast(&tasks->wake);
    pthread_mutex_unlock(&tasks->mutex);
}

void pli_tasks_sleep(pli_tasks *tasks)
{
    atomic_store(&tasks->awake, false);
}

void pli_tasks_run(pli_tasks *tasks, int32_t count, pli_task task, void *data)
{
    if (count > 1 && tasks->hooks.run) {
        tasks->hooks.run(tasks->hooks.user, count, task, data);
        return;
    }
    if (count <= 1 || tasks->thread_count == 0) {
        for (int32_t i = 0; i < count; i++)
            task(data, i);
        return;
    }

    // No item of an older job is open here, and late threads see an exhausted counter until the
    // new ticket is stored.
    uint32_t job = (uint32_t)(atomic_load_explicit(&tasks->ticket, memory_order_relaxed) >> 32) + 1;
    if (job == 0)
        job = 1;
    atomic_store_explicit(&tasks->ticket, (uint64_t)job << 32 | INT32_MAX, memory_order_release);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_store_explicit(&tasks->finished, 0, memory_order_relaxed);
    atomic_store_explicit(&tasks->task, task, memory_order_relaxed);
    atomic_store_explicit(&tasks->data, data, memory_order_relaxed);
    atomic_store_explicit(&tasks->count, count, memory_order_relaxed);
    atomic_store_explicit(&tasks->ticket, (uint64_t)job << 32, memory_order_release);
    take_items(tasks, job);
    int32_t spins = 0;
    while (atomic_load_explicit(&tasks->finished, memory_order_acquire) < count)
        pause_briefly(&spins);
}
