#include "solver/grid.h"

#include "mesh/tensor.h"
#include "solver/order.h"
#include "solver/tear.h"

// Smaller grids gain nothing: a register of 16 takes a fourth of the columns.
enum { LEAST_COLUMNS = 24, LEAST_ROWS = 8, ROW_GRAIN_PARTICLES = 2048 };

// Particles from which on a sheet comes in tiles: threads then meet once in a sweep instead of after each colour, and from
// some 65536 on the second-level cache is too small for all of it.
enum { LEAST_TILED = 1 << 12 };

static float *place_columns(pli_columns *columns, float *from, size_t size, bool masses)
{
    columns->x = from, columns->y = from + size, columns->z = from + 2 * size;
    columns->w = masses ? from + 3 * size : NULL;
    return from + (masses ? 4 : 3) * size;
}

static bool make_columns(pli_world *world, pli_grid *grid)
{
    int32_t longest = (grid->columns + PLI_DEALS - 1) / PLI_DEALS;
    grid->part = (longest + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    grid->pitch = PLI_DEALS * grid->part + PLI_BATCH;
    size_t size = (size_t)grid->rows * (size_t)grid->pitch;
    if (size > INT32_MAX || !(grid->memory = PLI_ALLOCATE(&world->memory, float, 10 * size)))
        return false;
    float *rest = place_columns(&grid->at, grid->memory, size, true);
    rest = place_columns(&grid->previous, rest, size, false);
    place_columns(&grid->velocities, rest, size, false);
    return true;
}

bool pli_grid_make(pli_world *world, pli_body *body)
{
    pli_memory *memory = &world->memory;
    pli_tensor tensor;
    if (world->order == PLI_ORDER_SEQUENTIAL)
        return true;
    if (!pli_tensor_find(memory, pli_mesh_topology(body->mesh), &tensor))
        return false;
    if (tensor.columns < LEAST_COLUMNS || tensor.rows < LEAST_ROWS || pli_tears(&body->def.tearing)) {
        pli_release(memory, tensor.order);
        body->tiled = body->count >= LEAST_TILED && !pli_tears(&body->def.tearing);
        return pli_particle_order(memory, body->mesh, body->tiled, &body->order);
    }
    body->order = tensor.order;
    if (!(body->grid = PLI_ALLOCATE(memory, pli_grid, 1)))
        return false;
    body->grid->rows = tensor.rows, body->grid->columns = tensor.columns;
    return make_columns(world, body->grid);
}

void pli_grid_free(pli_world *world, pli_body *body)
{
    if (body->grid)
        pli_release(&world->memory, body->grid->memory);
    pli_release(&world->memory, body->grid);
    body->grid = NULL;
}

pli_grid_motion pli_grid_motion_of(const pli_world *world, pli_body *body, float step)
{
    return (pli_grid_motion){
        .grid = body->grid,
        .particles = body->particles,
        .previous = body->previous,
        .velocities = body->velocities,
        .change = pli_scale(world->settings.gravity, step),
        .step = step,
    };
}

void pli_grid_run(pli_world *world, const pli_grid *grid, pli_grid_pass pass, void *data)
{
    pli_parallel(world, grid->rows, ROW_GRAIN_PARTICLES / grid->columns + 1, pass, data);
}

static void run(pli_world *world, pli_body *body, float step, pli_grid_pass pass)
{
    pli_grid_motion motion = pli_grid_motion_of(world, body, step);
    pli_grid_run(world, body->grid, pass, &motion);
}

static void catch_up(pli_world *world, pli_body *body)
{
    if (body->grid->due > 0.0f)
        run(world, body, body->grid->due, world->kernels->grid->go_on);
    if (body->grid->spread)
        pli_grid_run(world, body->grid, world->kernels->lattice->spread, body->grid->spread);
    body->grid->due = 0.0f;
    body->grid->spread = NULL;
}

void pli_grid_come_in(pli_world *world, pli_body *body, bool previous, bool motion)
{
    pli_grid *grid = body->grid;
    if (!grid->inside)
        run(world, body, 0.0f, world->kernels->grid->enter);
    if (motion && !grid->moves)
        run(world, body, 0.0f, world->kernels->grid->enter_motion);
    else if (previous && !grid->has_previous)
        run(world, body, 0.0f, world->kernels->grid->enter_previous);
    grid->inside = true;
    grid->has_previous = grid->has_previous || previous || motion;
    grid->moves = grid->moves || motion;
}

void pli_grid_enter(pli_world *world, pli_body *body, bool previous)
{
    pli_grid_come_in(world, body, previous, false);
    catch_up(world, body);
}

void pli_grid_leave(pli_world *world, pli_body *body)
{
    if (!body->grid || !body->grid->inside)
        return;
    catch_up(world, body);
    run(world, body, 0.0f, world->kernels->grid->leave);
    if (body->grid->moves)
        run(world, body, 0.0f, world->kernels->grid->leave_motion);
    body->grid->inside = body->grid->has_previous = body->grid->moves = false;
}

void pli_grid_go_on(pli_world *world, pli_body *body, float step)
{
    pli_grid_come_in(world, body, true, true);
    catch_up(world, body);
    body->grid->due = step;
}

void pli_grid_put(pli_world *world, pli_body *body, int32_t place)
{
    const pli_grid *grid = body->grid;
    if (!grid || !grid->inside)
        return;
    int32_t at = pli_grid_at(grid, place);
    const pli_particle *p = &body->particles[place];
    if (grid->at.x[at] == p->x && grid->at.y[at] == p->y && grid->at.z[at] == p->z)
        return;
    catch_up(world, body);
    grid->at.x[at] = p->x, grid->at.y[at] = p->y, grid->at.z[at] = p->z;
}

/* ---- what is due, with what reads positions next ------------------------------------------------ */

pli_grid_due pli_grid_take_due(const pli_world *world, pli_body *body, pli_grid_motion *motion)
{
    pli_grid *grid = body->grid;
    pli_grid_due due = {NULL, NULL};
    *motion = pli_grid_motion_of(world, body, grid->due);
    if (grid->due > 0.0f)
        due = (pli_grid_due){world->kernels->grid->go_on, motion};
    else if (grid->spread)
        due = (pli_grid_due){world->kernels->lattice->spread, grid->spread};
    grid->due = 0.0f;
    grid->spread = NULL;
    return due;
}

typedef struct strip_sum {
    pli_grid_due before;
    pli_grid_pass sum;
    pli_lattice_level *level;
} strip_sum;

static void sum_strips(void *data, int32_t begin, int32_t end)
{
    const strip_sum *s = data;
    int32_t rows = s->level->finer->rows;
    for (int32_t strip = begin; strip < end; strip++) {
        int32_t last = PLI_DEALS * (strip + 1) < rows ? PLI_DEALS * (strip + 1) : rows;
        if (s->before.run && PLI_DEALS * strip < last)
            s->before.run(s->before.data, PLI_DEALS * strip, last);
        s->sum(s->level, strip, strip + 1);
    }
}

void pli_grid_sum(pli_world *world, pli_body *body, pli_lattice_level *level)
{
    pli_grid_motion motion;
    pli_grid_come_in(world, body, false, false);
    strip_sum s = {pli_grid_take_due(world, body, &motion), world->kernels->lattice->sum, level};
    pli_parallel(world, level->nodes.rows, ROW_GRAIN_PARTICLES / (PLI_DEALS * body->grid->columns) + 1, sum_strips, &s);
}

void pli_grid_follow(pli_body *body, pli_lattice_level *level) { body->grid->spread = level; }

/* ---- sweeps ------------------------------------------------------------------------------------- */

typedef struct block_sweep {
    pli_project run;
    const pli_projection *projection;
    const pli_set *set;
    pli_grid_due before;
    int32_t first;
} block_sweep;

static void run_block(void *data, int32_t block)
{
    const block_sweep *s = data;
    int32_t blocks = s->set->block_count, rows = s->set->body->grid->rows;
    if (s->before.run)
        s->before.run(s->before.data, pli_block_begin(block, blocks, rows), pli_block_begin(block + 1, blocks, rows));
    s->run(s->projection, s->set->run_offsets[s->first + block], s->set->run_offsets[s->first + block + 1]);
}

void pli_runs_project(pli_world *world, const pli_set *set, const pli_projection *projection)
{
    pli_body *body = set->body;
    pli_constraint_table table = world->kernels->types_in_runs();
    pli_grid_motion motion;
    pli_grid_come_in(world, body, projection->damping > 0.0f, false);
    block_sweep s = {table.rows[pli_constraint_type_index(set->type->name)]->project, projection, set,
                     pli_grid_take_due(world, body, &motion), 0};
    pli_tasks_run(world->tasks, set->block_count, run_block, &s);
    s.before.run = NULL, s.first = set->block_count;
    pli_tasks_run(world->tasks, set->block_count - 1, run_block, &s);
}
