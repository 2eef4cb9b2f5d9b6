// A flow by blocks: a thread takes whatever block is ready, one of its own or else one of the others'. What leads from a
// block to the next is done by the thread that finishes the second of both, so that none waits for another.
#include "solver/flow_stages.h"

enum { PATIENCE = 8 }; // Looks at its own blocks before a thread takes one of another's.

static bool is_ready(const pli_flow *f, int32_t block, int32_t number)
{
    const pli_progress *p = &f->grid->progress[block];
    return (block == 0 || atomic_load_explicit(&p[-1].done, memory_order_acquire) >= number) &&
           (block + 1 == f->blocks || atomic_load_explicit(&p->done, memory_order_acquire) >= number);
}

// A block and its sweep to come; -1 when none is ready.
typedef struct choice {
    int32_t block, number;
} choice;

static int32_t next_of(const pli_flow *f, int32_t block)
{
    return atomic_load_explicit(&f->grid->progress[block].taken, memory_order_relaxed);
}

static int32_t first_own(const pli_flow *f, int32_t thread)
{
    return (int32_t)((int64_t)thread * f->blocks / f->threads);
}

// The last sweep of a group that is ready, so that they follow one another closely. The first half of the threads goes down
// the rows and the others up, so that what is near another's is taken last.
static choice choose_own(const pli_flow *f, int32_t thread)
{
    choice best = {-1, -1};
    int32_t begin = first_own(f, thread), end = first_own(f, thread + 1), least = f->stages;
    for (int32_t block = begin; block < end; block++)
        least = next_of(f, block) < least ? next_of(f, block) : least;
    int32_t behind = (least / f->depth + 1) * f->depth;
    behind = behind < f->stages ? behind : f->stages;
    for (int32_t k = 0; k < end - begin; k++) {
        int32_t block = 2 * thread < f->threads ? begin + k : end - 1 - k, number = next_of(f, block);
        if (number > best.number && number < behind && is_ready(f, block, number))
            best = (choice){block, number};
    }
    return best;
}

static void look_at(const pli_flow *f, int32_t block, choice *best)
{
    int32_t number = next_of(f, block);
    if (number < best->number && is_ready(f, block, number))
        *best = (choice){block, number};
}

// The earliest sweep that is ready, and of these the nearest.
static choice choose_other(const pli_flow *f, int32_t thread)
{
    choice best = {-1, f->stages};
    int32_t begin = first_own(f, thread), end = first_own(f, thread + 1);
    for (int32_t away = 0; away < f->blocks; away++) {
        if (begin - away >= 0)
            look_at(f, begin - away, &best);
        if (end + away < f->blocks)
            look_at(f, end + away, &best);
    }
    return best;
}

static void run_across(const pli_flow *f, const pli_flow_stage *s, int32_t block, int32_t number)
{
    const int32_t *offsets = &s->set->run_offsets[f->blocks + block];
    pli_progress *p = &f->grid->progress[block];
    if (atomic_fetch_add_explicit(&p->arrived, 1, memory_order_acq_rel) != 2 * number + 1)
        return; // The other block's thread will do it.
    if (s->run && offsets[1] > offsets[0])
        s->run(s->projection, offsets[0], offsets[1]);
    atomic_store_explicit(&p->done, number + 1, memory_order_release);
}

static void run_block(const pli_flow *f, int32_t block, int32_t number)
{
    pli_flow_stage s = pli_flow_stage_at(f, number);
    const int32_t *offsets = &s.set->run_offsets[block];
    int32_t begin = pli_block_begin(block, f->blocks, f->grid->rows),
            end = pli_block_begin(block + 1, f->blocks, f->grid->rows);
    pli_flow_do_before(f, &s, begin, end);
    if (s.run && offsets[1] > offsets[0])
        s.run(s.projection, offsets[0], offsets[1]);
    if (block > 0)
        run_across(f, &s, block - 1, number);
    if (block + 1 < f->blocks)
        run_across(f, &s, block, number);
}

static bool all_taken(const pli_flow *f)
{
    for (int32_t block = 0; block < f->blocks; block++)
        if (atomic_load_explicit(&f->grid->progress[block].taken, memory_order_relaxed) < f->stages)
            return false;
    return true;
}

void pli_flow_by_blocks(void *data, int32_t thread)
{
    const pli_flow *f = data;
    for (int32_t spins = 0, patience = 0; !all_taken(f);) {
        choice next = choose_own(f, thread);
        if (next.block < 0 && patience++ > PATIENCE)
            next = choose_other(f, thread);
        if (next.block < 0) {
            pli_tasks_pause(&spins);
            continue;
        }
        if (atomic_compare_exchange_strong_explicit(&f->grid->progress[next.block].taken, &next.number, next.number + 1,
                                                    memory_order_relaxed, memory_order_relaxed)) {
            run_block(f, next.block, next.number);
            spins = patience = 0;
        }
    }
}
