// Stages of sweeps over a grid, run in one pass: sweep/grid/grid_sweep.h.
#include "sweep/grid/grid_sweep.h"

#include "constraints/registry.h"
#include "sweep/grid/grid_runs.h"
#include "particles/history.h"

// The least number of blocks in the range of a thread, for each that waits at its ends: with fewer, what runs after the ranges is too much of
// the work, and the threads take the stages one after the other.
enum { LEAST_RANGE = 3 };

// A stage, and how it trails the first one.
typedef struct grid_stage {
    const pli_grid_work *work;
    bool across;
    int32_t delay; // Blocks that the stage trails by. At the end of a range, as many items wait for the next range.
    int32_t waits; // At the start of a range, the number of items that wait for the range before.
} grid_stage;

typedef struct staged_sweep {
    pli_world *world;
    const pli_deformable_data *deformable;
    bool needs_previous;
    grid_stage stages[2 * PLI_GRID_WAITING];
    int32_t count, blocks, ranges, current;
} staged_sweep;

/* ---- stages -------------------------------------------------------------------------------------- */

static bool needs_previous(const pli_world *world, const pli_deformable_data *deformable)
{
    for (const pli_constraints_data *set = deformable->first_set; set; set = set->next)
        if (set->grid_runs.items && pli_constraints_reads_bases(world, set))
            return true;
    return false;
}

static void add_stage(staged_sweep *s, const pli_grid_work *work, bool across)
{
    grid_stage next = {.work = work, .across = across};
    if (s->count > 0) {
        const grid_stage *last = &s->stages[s->count - 1];
        next.delay = last->delay + (across && !last->across);
        next.waits = last->waits + (!across && last->across);
    }
    s->stages[s->count++] = next;
}

static staged_sweep stages_of(const pli_grid_queue *queue)
{
    staged_sweep s = {.world = queue->world,
                      .deformable = queue->deformable,
                      .needs_previous = needs_previous(queue->world, queue->deformable),
                      .blocks = pli_block_count(queue->deformable->grid)};
    for (int32_t i = 0; i < queue->count; i++) {
        const pli_grid_work *work = &queue->waiting[i];
        add_stage(&s, work, work->project && work->projection.backward);
        if (work->project)
            add_stage(&s, work, !work->projection.backward);
    }
    return s;
}

static void grid_copy_rows(const staged_sweep *s, bool leaves, int32_t block)
{
    const pli_deformable_data *deformable = s->deformable;
    const pli_grid_layout *grid = deformable->grid;
    const pli_grid_kernels *kernels = s->world->kernels->grid;
    const int32_t begin = pli_block_begin(block, s->blocks, grid->rows);
    const int32_t end = pli_block_begin(block + 1, s->blocks, grid->rows);
    pli_grid_copy particles = {grid, deformable->particles}, lost = {grid, deformable->lost};
    (leaves ? kernels->leave : kernels->enter)(&particles, begin, end);
    if (deformable->lost)
        (leaves ? kernels->leave_lost : kernels->enter_lost)(&lost, begin, end);
    if (s->needs_previous && !leaves) {
        pli_grid_copy bases = {grid, pli_deformable_bases(deformable)};
        kernels->enter_previous(&bases, begin, end);
    }
}

static int32_t item_count(const staged_sweep *s, const grid_stage *stage) { return s->blocks - stage->across; }

static void run_item(const staged_sweep *s, const grid_stage *stage, int32_t item)
{
    const pli_grid_work *work = stage->work;
    if (!work->project) {
        grid_copy_rows(s, work->leaves, item);
        return;
    }
    const int32_t *offsets = work->offsets + (stage->across ? s->blocks : 0);
    work->project(&work->projection, offsets[item], offsets[item + 1]);
}

/* ---- in one pass --------------------------------------------------------------------------------- */

static int32_t range_begin(const staged_sweep *s, int32_t range)
{
    return pli_block_begin(range, s->ranges, s->blocks);
}

// All stages over the blocks of a range, except for the items that wait for its neighbours.
static void run_range(void *data, int32_t range)
{
    const staged_sweep *s = data;
    const int32_t begin = range_begin(s, range), end = range_begin(s, range + 1);
    const int32_t last_delay = s->stages[s->count - 1].delay;
    for (int32_t front = begin; front < end + last_delay; front++)
        for (int32_t k = 0; k < s->count; k++) {
            const grid_stage *stage = &s->stages[k];
            const int32_t first = begin > 0 ? begin + stage->waits : 0, item = front - stage->delay;
            const int32_t behind = end < s->blocks ? end - stage->delay : item_count(s, stage);
            if (item >= first && item < behind)
                run_item(s, stage, item);
        }
}

// The items that waited at the end of a range.
static void run_border(void *data, int32_t range)
{
    const staged_sweep *s = data;
    const int32_t border = range_begin(s, range + 1);
    for (int32_t k = 0; k < s->count; k++)
        for (int32_t i = border - s->stages[k].delay; i < border + s->stages[k].waits; i++)
            run_item(s, &s->stages[k], i);
}

static void run_current(void *data, int32_t item)
{
    const staged_sweep *s = data;
    run_item(s, &s->stages[s->current], item);
}

void pli_grid_finish(pli_grid_queue *queue)
{
    pli_tasks *tasks = queue->world->tasks;
    if (queue->count == 0)
        return;
    staged_sweep s = stages_of(queue);
    queue->count = 0;
    s.ranges = pli_tasks_width(tasks);
    const grid_stage *last = &s.stages[s.count - 1];
    if (s.ranges == 1 || (s.ranges > 1 && s.blocks >= s.ranges * LEAST_RANGE * (last->delay + last->waits))) {
        pli_tasks_run(tasks, s.ranges, run_range, &s);
        pli_tasks_run(tasks, s.ranges - 1, run_border, &s);
        return;
    }
    for (; s.current < s.count; s.current++)
        pli_tasks_run(tasks, item_count(&s, &s.stages[s.current]), run_current, &s);
}

/* ---- the queue ----------------------------------------------------------------------------------- */

static pli_grid_work *grid_add_work(pli_grid_queue *queue)
{
    if (queue->count == PLI_GRID_WAITING)
        pli_grid_finish(queue);
    return &queue->waiting[queue->count++];
}

void pli_grid_enter(pli_grid_queue *queue) { *grid_add_work(queue) = (pli_grid_work){.leaves = false}; }

void pli_grid_leave(pli_grid_queue *queue)
{
    *grid_add_work(queue) = (pli_grid_work){.leaves = true};
    pli_grid_finish(queue);
}

void pli_grid_sweep(pli_grid_queue *queue, const pli_constraints_data *set, const pli_projection *projection)
{
    const pli_constraint_table table = queue->world->kernels->types_in_runs();
    pli_grid_work *work = grid_add_work(queue);
    work->project = table.rows[pli_constraint_type_index(set->type->name)]->project;
    work->projection = *projection;
    work->offsets = set->grid_runs.offsets;
}
