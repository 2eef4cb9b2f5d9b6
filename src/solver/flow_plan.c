// The steps of a sweep over a set that goes by runs.
#include "solver/flow.h"

typedef struct drafting {
    const pli_set *set;
    const pli_grid *grid;
    int32_t band_rows;
    pli_flow_step *steps; // Null while they are counted.
    int32_t count;
} drafting;

static int32_t block_begin(const drafting *d, int32_t block)
{
    return pli_block_begin(block, d->set->block_count, d->grid->rows);
}

static void rows_of(const drafting *d, const pli_slot_run *run, int32_t *low, int32_t *high)
{
    *low = INT32_MAX, *high = 0;
    for (int32_t k = 0; k < d->set->type->cardinality; k++) {
        int32_t row = run->at[k] / d->grid->pitch;
        *low = row < *low ? row : *low;
        *high = row >= *high ? row + 1 : *high;
    }
}

static void add(drafting *d, pli_flow_step step)
{
    if (d->steps)
        d->steps[d->count] = step;
    d->count++;
}

static pli_flow_step step_across(const drafting *d, int32_t block)
{
    const pli_set *set = d->set;
    const int32_t *offsets = &set->run_offsets[set->block_count + block];
    int32_t border = block_begin(d, block + 1);
    pli_flow_step step = {offsets[0], offsets[1], border, border, 0, block, true};
    for (int32_t r = step.begin; r < step.end; r++) {
        int32_t low, high;
        rows_of(d, &set->runs[r], &low, &high);
        step.low = low < step.low ? low : step.low;
        step.high = high > step.high ? high : step.high;
    }
    return step;
}

// The next band of a block's inside. Rows without constraints belong to the band before or behind.
static pli_flow_step step_inside(const drafting *d, int32_t block, int32_t run, int32_t row)
{
    const pli_set *set = d->set;
    int32_t first = block_begin(d, block), behind = block_begin(d, block + 1), band = -1;
    pli_flow_step step = {run, run, row, row, 0, block, false};
    for (; step.end < set->run_offsets[block + 1]; step.end++) {
        int32_t low, high;
        rows_of(d, &set->runs[step.end], &low, &high);
        if (band >= 0 && (low - first) / d->band_rows != band)
            break;
        band = (low - first) / d->band_rows;
        int32_t end = first + (band + 1) * d->band_rows;
        high = end > high ? end : high;
        step.low = low < step.low ? low : step.low;
        step.high = high > step.high ? high : step.high;
    }
    if (step.end == set->run_offsets[block + 1] || step.high > behind)
        step.high = behind;
    return step;
}

static void add_block(drafting *d, int32_t block, int32_t *marks)
{
    const pli_set *set = d->set;
    int32_t end = set->run_offsets[block + 1], run = set->run_offsets[block], row = block_begin(d, block);
    pli_flow_step before = {0};
    bool pending = block > 0;
    if (pending)
        before = step_across(d, block - 1);
    marks[block] = d->count;
    do {
        pli_flow_step step = step_inside(d, block, run, row);
        if (pending && run > set->run_offsets[block] && step.low >= before.high) {
            marks[set->block_count + block] = d->count;
            add(d, before);
            pending = false;
        }
        add(d, step);
        run = step.end, row = step.high > row ? step.high : row;
    } while (run < end);
    if (pending) {
        marks[set->block_count + block] = d->count;
        add(d, before);
    }
}

static void draft(drafting *d, int32_t *marks)
{
    d->count = 0;
    for (int32_t block = 0; block < d->set->block_count; block++)
        add_block(d, block, marks);
}

bool pli_flow_plan(pli_world *world, pli_set *set)
{
    const pli_grid *grid = set->body->grid;
    drafting d = {set, grid, pli_band_rows(grid), NULL, 0};
    if (!(set->step_marks = PLI_ALLOCATE(&world->memory, int32_t, 2 * (int64_t)set->block_count)))
        return false;
    draft(&d, set->step_marks);
    if (!(d.steps = set->steps = PLI_ALLOCATE(&world->memory, pli_flow_step, d.count)))
        return false;
    draft(&d, set->step_marks);
    set->step_count = d.count;
    for (int32_t i = d.count - 1, open = grid->rows; i >= 0; i--) {
        set->steps[i].open = open;
        open = set->steps[i].low < open ? set->steps[i].low : open;
    }
    return true;
}
