// Threads of a page that is isolated: workers that run this module over the same memory (package/src/threads.ts) share the
// loops of a step as a host's job system does (pli_task_hooks). In the builds for one thread there are none.
//
//   ticket    generation : 32 | items left : 32      who lowers it by one has the item of that number
//
// A job's fields may change only once all of its items are done, and who has an item of it has one that is not done; so they
// are read after the ticket is taken. The main thread of a page may not wait: it takes items itself, then watches the
// counter of those that are done.
#include "world.h"

#ifdef __wasm_atomics__

#include <stdatomic.h>

enum { SPINS = 4000 }; // Looks at the ticket before a worker sleeps; some 20 microseconds.

static struct {
    _Atomic uint64_t ticket;
    _Atomic int32_t done;
    _Atomic int32_t asleep;
    _Atomic uint32_t helped; // Items that workers have done; for tests.
    int32_t bell;            // Counts jobs; workers that sleep wait for it to change.
    _Atomic bool failed;
    int32_t worker_count;
    int32_t limit; // Workers with this number and above leave the job alone.
    pli_task task;
    void *data;
} pool;

static bool take_item(int32_t *item)
{
    uint64_t ticket = atomic_load(&pool.ticket);
    while ((uint32_t)ticket > 0)
        if (atomic_compare_exchange_weak(&pool.ticket, &ticket, ticket - 1)) {
            *item = (int32_t)((uint32_t)ticket - 1);
            return true;
        }
    return false;
}

static uint32_t run_items(void)
{
    int32_t item;
    uint32_t count = 0;
    for (; take_item(&item); count++) {
        pool.task(pool.data, item);
        atomic_fetch_add(&pool.done, 1);
    }
    return count;
}

static void run(void *user, int32_t count, pli_task task, void *data)
{
    if (count <= 0)
        return;
    pool.limit = *(const int32_t *)user - 1;
    pool.task = task, pool.data = data;
    atomic_store(&pool.done, 0);
    uint64_t generation = (atomic_load(&pool.ticket) >> 32) + 1;
    atomic_store(&pool.ticket, generation << 32 | (uint32_t)count);
    __atomic_fetch_add(&pool.bell, 1, __ATOMIC_SEQ_CST);
    if (atomic_load(&pool.asleep) > 0)
        __builtin_wasm_memory_atomic_notify(&pool.bell, UINT32_MAX);
    run_items();
    while (atomic_load(&pool.done) < count)
        if (atomic_load(&pool.failed))
            __builtin_trap(); // An item has trapped in a worker: its work will never be done.
}

/// The life of worker `number`, which counts from 0: it does not return.
EXPORT(thread_run) void web_thread_run(int32_t number)
{
    for (;;) {
        int32_t bell = __atomic_load_n(&pool.bell, __ATOMIC_SEQ_CST);
        if (number < __atomic_load_n(&pool.limit, __ATOMIC_SEQ_CST))
            atomic_fetch_add(&pool.helped, run_items());
        for (int32_t spin = 0; spin < SPINS && __atomic_load_n(&pool.bell, __ATOMIC_SEQ_CST) == bell; spin++)
            continue;
        atomic_fetch_add(&pool.asleep, 1);
        __builtin_wasm_memory_atomic_wait32(&pool.bell, bell, -1);
        atomic_fetch_sub(&pool.asleep, 1);
    }
}

/// Called by a worker whose task has trapped.
EXPORT(thread_failed) void web_thread_failed(void) { atomic_store(&pool.failed, true); }

/// Called once `count` workers run.
EXPORT(threads_set) void web_threads_set(int32_t count) { pool.worker_count = count; }

/// Items that workers have done so far.
EXPORT(threads_helped) uint32_t web_threads_helped(void) { return atomic_load(&pool.helped); }

int32_t web_threads_most(void) { return pool.worker_count + 1; }

pli_task_hooks web_task_hooks(int32_t *threads)
{
    return *threads > 1 ? (pli_task_hooks){.run = run, .user = threads} : (pli_task_hooks){0};
}

#else

int32_t web_threads_most(void) { return 1; }

pli_task_hooks web_task_hooks(int32_t *threads)
{
    (void)threads;
    return (pli_task_hooks){0};
}

#endif
