// A flow by rows: each thread has a stretch of blocks and goes down it with several sweeps at a time, a step of each in turn.
#include "solver/flow_stages.h"

// A thread in a stage.
typedef struct walker {
    pli_flow_stage stage;
    int32_t number;
    int32_t begin, end;               // Its blocks,
    int32_t begin_before, end_before; // and those that it had in the stage before.
    int32_t next, last,
        tail;      // Steps next..last-1 are to come, and then the one that leads from its blocks to the next; or -1.
    int32_t open;  // No step to come touches a row before this one.
    int32_t ready; // For rows before this one what is due has been done.
} walker;

/* ---- threads ----------------------------------------------------------------------------------- */

// First block of a thread in a stage. Stages of a group follow one another closely. Each begins a block later than the one
// before, so that no thread needs what the thread before does in it; what that one has more of the later ones, it has less of
// the first ones.
static int32_t first_block(const pli_flow *f, int32_t thread, int32_t number)
{
    int32_t in_group = number % f->depth, left = f->stages - (number - in_group),
            size = left < f->depth ? left : f->depth;
    if (thread == 0 || thread == f->threads)
        return thread == 0 ? 0 : f->blocks;
    return pli_flow_within((2 * (int64_t)thread * f->blocks / f->threads - size + 2) / 2 + in_group, 0, f->blocks);
}

static void wait_for(const pli_flow *f, int32_t block, int32_t progress)
{
    int32_t spins = 0;
    while (atomic_load_explicit(&f->grid->progress[block].done, memory_order_acquire) < progress)
        pli_tasks_pause(&spins);
}

static void tell(const pli_flow *f, int32_t block, int32_t progress)
{
    atomic_store_explicit(&f->grid->progress[block].done, progress, memory_order_release);
}

// Progress of a block is twice the number of its finished stages, and one more where only its inside is finished.
// What this thread did in the stage before is finished already, as far as it matters.
static void wait_before_inside(const pli_flow *f, const walker *w, int32_t block)
{
    for (int32_t b = block > 0 ? block - 1 : 0; b <= block; b++)
        if (b < w->begin_before || b >= w->end_before)
            wait_for(f, b, 2 * w->number);
}

static void wait_before_across(const pli_flow *f, const walker *w, int32_t block)
{
    if (block + 1 >= w->end)
        wait_for(f, block + 1, 2 * w->number + 1);
}

/* ---- steps ------------------------------------------------------------------------------------- */

static void make_ready(const pli_flow *f, walker *w, const pli_flow_step *step)
{
    int32_t behind = pli_block_begin(w->end, f->blocks, f->grid->rows),
            high = step->high < behind ? step->high : behind;
    if (high <= w->ready)
        return;
    pli_flow_do_before(f, &w->stage, w->ready, high);
    w->ready = high;
}

static bool ends_inside(const pli_flow_stage *s, int32_t i)
{
    int32_t block = s->set->steps[i].block;
    do
        i++;
    while (i < s->set->step_count && s->set->steps[i].across);
    return i == s->set->step_count || s->set->steps[i].block != block;
}

static void take_step(const pli_flow *f, walker *w, int32_t i)
{
    const pli_flow_step *step = &w->stage.set->steps[i];
    if (step->across)
        wait_before_across(f, w, step->block);
    else if (i == w->stage.set->step_marks[step->block])
        wait_before_inside(f, w, step->block);
    make_ready(f, w, step);
    if (w->stage.run && step->end > step->begin)
        w->stage.run(w->stage.projection, step->begin, step->end);
    w->open = step->open;
    if (step->across)
        tell(f, step->block, 2 * w->number + 2);
    else if (ends_inside(&w->stage, i))
        tell(f, step->block, 2 * w->number + (step->block + 1 < f->blocks ? 1 : 2));
}

// The step from the block before its first one is the other thread's.
static void pass_over(walker *w)
{
    const pli_flow_step *steps = w->stage.set->steps;
    if (w->next < w->last && steps[w->next].across && steps[w->next].block < w->begin)
        w->next++;
}

static walker set_out(const pli_flow *f, int32_t thread, int32_t number)
{
    walker w = {pli_flow_stage_at(f, number),
                number,
                first_block(f, thread, number),
                first_block(f, thread + 1, number),
                0,
                0,
                0,
                0,
                -1,
                0,
                0};
    const pli_set *set = w.stage.set;
    if (number > 0)
        w.begin_before = first_block(f, thread, number - 1), w.end_before = first_block(f, thread + 1, number - 1);
    if (w.begin >= w.end)
        return w;
    w.next = set->step_marks[w.begin];
    w.last = w.end < f->blocks ? set->step_marks[w.end] : set->step_count;
    w.tail = w.end < f->blocks ? set->step_marks[f->blocks + w.end] : -1;
    w.ready = pli_block_begin(w.begin, f->blocks, f->grid->rows);
    return w;
}

static int32_t next_of(const walker *w) { return w->next < w->last ? w->next : w->tail; }

// Takes the next step if the stage before has done with its rows.
static bool walk(const pli_flow *f, walker *w, const walker *before)
{
    int32_t i = next_of(w);
    if (i < 0 || (before && next_of(before) >= 0 && before->open < w->stage.set->steps[i].high))
        return false;
    take_step(f, w, i);
    if (w->next < w->last)
        w->next++;
    else
        w->tail = -1;
    pass_over(w);
    return true;
}

void pli_flow_by_rows(void *data, int32_t thread)
{
    const pli_flow *f = data;
    walker walkers[PLI_FLOW_DEPTH_MAX];
    for (int32_t first = 0; first < f->stages; first += f->depth) {
        int32_t count = f->stages - first < f->depth ? f->stages - first : f->depth;
        for (int32_t k = 0; k < count; k++)
            walkers[k] = set_out(f, thread, first + k);
        for (bool moved = true; moved;) {
            moved = walk(f, &walkers[0], NULL);
            for (int32_t k = 1; k < count; k++)
                while (walk(f, &walkers[k], &walkers[k - 1]))
                    moved = true;
        }
    }
}
