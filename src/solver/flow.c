#include "solver/flow_stages.h"

#include "solver/held.h"

enum {
    STAGES_MAX = 4096,        // Of one run.
    NEAR_BYTES = 1280 * 1024, // Of rows that sweeps are at: they are to stay in a core's own cache.
};

pli_flow_stage pli_flow_stage_at(const pli_flow *f, int32_t number)
{
    int64_t at = f->first_stage + number, set = at % f->set_count;
    bool again = at / f->set_count % f->iterations > 0;
    pli_flow_stage s = {
        f->sets[set], f->run[set], &f->projections[set][again][at >= f->last_substep], {NULL, NULL}, 0.0f};
    if (at == f->end_stage)
        return (pli_flow_stage){f->sets[0], NULL, NULL, f->end, 0.0f};
    if (set > 0 || again)
        return s;
    s.before = at == 0 ? f->first : f->later;
    if (f->end.run)
        s.to = (float)(at / f->set_count / f->iterations + 1) / (float)f->substeps;
    return s;
}

void pli_flow_do_before(const pli_flow *f, const pli_flow_stage *s, int32_t begin, int32_t end)
{
    if (s->before.run)
        s->before.run(s->before.data, begin, end);
    if (s->to > 0.0f)
        pli_grid_put_held(f->grid, begin, end, s->to);
}

/* ---- plans ------------------------------------------------------------------------------------- */

// Bytes of a row that its sweeps read.
static int64_t row_bytes(const pli_flow *f)
{
    int64_t numbers = 10 * (int64_t)f->grid->pitch;
    for (int32_t i = 0; i < f->set_count; i++)
        numbers += (int64_t)f->sets[i]->count * f->sets[i]->type->rest_count / f->grid->rows;
    return (int64_t)sizeof(float) * numbers;
}

// Sweeps follow one another closely where a thread's rows do not stay in its cache from one to the next: block behind block, or,
// where blocks are too large for that and where there is one thread, step behind step. Returns the way.
static pli_task plan(pli_flow *f)
{
    enum { LEAST_BLOCKS = 3 };
    int64_t row = row_bytes(f), all = row * f->grid->rows, apart = 2 * pli_band_rows(f->grid) + 2;
    int64_t depth = NEAR_BYTES / (row * apart), blocks = NEAR_BYTES * f->blocks / all;
    bool stays = all <= NEAR_BYTES * (int64_t)f->threads,
         by_blocks = f->threads > 1 && (stays || blocks >= LEAST_BLOCKS);
    f->depth = stays ? 1 : pli_flow_within(by_blocks ? blocks : depth, 1, PLI_FLOW_DEPTH_MAX);
    if (by_blocks || f->threads == 1)
        return by_blocks ? pli_flow_by_blocks : pli_flow_by_rows;
    // An odd depth gives all threads as much to do.
    int32_t most = (f->blocks / f->threads - 1) | 1;
    f->depth = f->depth < most ? (f->depth - 1) | 1 : most;
    return pli_flow_by_rows;
}

static void add_set(pli_flow *f, const pli_world *world, const pli_set *set)
{
    pli_constraint_table table = world->kernels->types_in_runs();
    f->sets[f->set_count] = set;
    f->run[f->set_count++] = table.rows[pli_constraint_type_index(set->type->name)]->project;
}

static pli_flow flow_of(const pli_world *world, const pli_body *body)
{
    pli_flow f = {.world = world,
                  .grid = body->grid,
                  .iterations = 1,
                  .blocks = pli_block_count(body->grid),
                  .last_substep = INT64_MAX,
                  .end_stage = INT64_MAX};
    int32_t width = pli_tasks_width(world->tasks);
    f.threads = pli_flow_within(width, 1, f.blocks);
    for (const pli_set *set = body->first_set; set; set = set->next)
        add_set(&f, world, set);
    return f;
}

static void reset(pli_flow *f)
{
    for (int32_t block = 0; block < f->blocks; block++) {
        pli_progress *p = &f->grid->progress[block];
        atomic_store_explicit(&p->taken, 0, memory_order_relaxed);
        atomic_store_explicit(&p->arrived, 0, memory_order_relaxed);
        atomic_store_explicit(&p->done, 0, memory_order_relaxed);
    }
}

static void run(pli_world *world, pli_flow *f, int64_t stages)
{
    pli_task way = plan(f);
    for (f->first_stage = 0; f->first_stage < stages; f->first_stage += f->stages) {
        f->stages = stages - f->first_stage < STAGES_MAX ? (int32_t)(stages - f->first_stage) : STAGES_MAX;
        reset(f);
        pli_tasks_run(world->tasks, f->threads, way, f);
    }
}

bool pli_flow_may(const pli_world *world, const pli_body *body)
{
    int32_t count = 0;
    for (const pli_set *set = body->first_set; set; set = set->next, count++)
        if (!set->runs)
            return false;
    return count > 0 && count <= PLI_FLOW_SETS_MAX && !world->blame && pli_tasks_width(world->tasks) > 0;
}

static bool needs_previous(const pli_flow *f)
{
    for (int32_t i = 0; i < f->set_count; i++)
        for (int32_t k = 0; k < 4; k++)
            if (f->projections[i][k / 2][k % 2].damping > 0.0f)
                return true;
    return false;
}

// Those of all iterations, in the last substep or in those before it.
static void find_projections(pli_flow *f, float step, bool last)
{
    for (int32_t i = 0; i < f->set_count; i++)
        for (int32_t again = 0; again < 2 && again < f->iterations; again++)
            f->projections[i][again][last] = pli_set_projection(f->world, f->sets[i], step,
                                                                (pli_sweep){again == 0, last});
}

void pli_flow_whole(pli_world *world, pli_body *body, float step, int32_t substeps)
{
    pli_grid_motion motion = pli_grid_motion_of(world, body, step);
    pli_flow f = flow_of(world, body);
    const pli_grid_kernels *kernels = world->kernels->grid;
    f.iterations = world->settings.iterations, f.substeps = substeps;
    if (substeps > 1)
        find_projections(&f, step, false);
    find_projections(&f, step, true);
    f.first = (pli_grid_due){kernels->set_out, &motion};
    f.later = (pli_grid_due){kernels->go_on, &motion};
    f.end = (pli_grid_due){kernels->arrive, &motion};
    int64_t of_substep = (int64_t)f.set_count * f.iterations;
    f.last_substep = (substeps - 1) * of_substep;
    f.end_stage = substeps * of_substep;
    run(world, &f, f.end_stage + 1);
}

static void take_in(pli_world *world, pli_body *body, pli_flow *f, pli_grid_motion *motion)
{
    pli_grid_come_in(world, body, needs_previous(f), false);
    f->first = pli_grid_take_due(world, body, motion);
}

void pli_flow_project(pli_world *world, pli_body *body, float step, bool last_substep)
{
    pli_grid_motion motion;
    pli_flow f = flow_of(world, body);
    f.iterations = world->settings.iterations;
    f.last_substep = last_substep ? 0 : INT64_MAX;
    find_projections(&f, step, last_substep);
    take_in(world, body, &f, &motion);
    run(world, &f, (int64_t)f.set_count * f.iterations);
}

void pli_flow_sweep(pli_world *world, pli_body *body, float step, pli_sweep which)
{
    pli_grid_motion motion;
    pli_flow f = flow_of(world, body);
    for (int32_t i = 0; i < f.set_count; i++)
        f.projections[i][0][0] = pli_set_projection(world, f.sets[i], step, which);
    take_in(world, body, &f, &motion);
    run(world, &f, f.set_count);
}
