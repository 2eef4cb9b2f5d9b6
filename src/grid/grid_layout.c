// Creates, enters and leaves the layout of a grid, and sweeps over it by runs. See grid/grid_layout.h; the kernels are in
// grid/grid_kernels.c.
#include "grid/grid_layout.h"

#include "constraints/registry.h"
#include "mesh/grid_detect.h"
#include "model/parallel.h"
#include "particles/history.h"

// Smaller grids gain nothing, since a part of a row, over which registers run, has a quarter of the columns. Passes are divided into
// pieces of about ROW_GRAIN_PARTICLES particles.
enum { LEAST_COLUMNS = 24, LEAST_ROWS = 8, ROW_GRAIN_PARTICLES = 2048 };

static float *place_columns(pli_soa *columns, float *from, size_t size, bool masses)
{
    columns->x = from, columns->y = from + size, columns->z = from + 2 * size;
    columns->w = masses ? from + 3 * size : NULL;
    return from + (masses ? 4 : 3) * size;
}

// Allocates positions, previous positions and losses: parts are padded to a multiple of PLI_BATCH, and rows end with a slack of
// PLI_BATCH.
static bool make_columns(pli_world *world, pli_grid_layout *grid)
{
    int32_t longest = (grid->columns + PLI_INTERLEAVE - 1) / PLI_INTERLEAVE;
    grid->part = (longest + PLI_BATCH - 1) / PLI_BATCH * PLI_BATCH;
    grid->pitch = PLI_INTERLEAVE * grid->part + PLI_BATCH;
    size_t size = (size_t)grid->rows * (size_t)grid->pitch;
    if (size > INT32_MAX || !(grid->memory = PLI_ALLOCATE(&world->memory, float, 10 * size)))
        return false;
    float *rest = place_columns(&grid->at, grid->memory, size, true);
    rest = place_columns(&grid->previous, rest, size, false);
    place_columns(&grid->lost, rest, size, false);
    return true;
}

bool pli_grid_make(pli_world *world, pli_deformable_data *deformable)
{
    pli_memory *memory = &world->memory;
    pli_tensor tensor;
    if (world->order == PLI_ORDER_SEQUENTIAL)
        return true;
    if (!pli_tensor_find(memory, pli_mesh_topology(deformable->mesh), &tensor))
        return false;
    if (tensor.columns < LEAST_COLUMNS || tensor.rows < LEAST_ROWS || pli_tears(&deformable->def.tearing)) {
        pli_release(memory, tensor.order);
        return true;
    }
    deformable->order = tensor.order;
    if (!(deformable->grid = PLI_ALLOCATE(memory, pli_grid_layout, 1)))
        return false;
    deformable->grid->rows = tensor.rows, deformable->grid->columns = tensor.columns;
    return make_columns(world, deformable->grid);
}

void pli_grid_free(pli_world *world, pli_deformable_data *deformable)
{
    if (deformable->grid)
        pli_release(&world->memory, deformable->grid->memory);
    pli_release(&world->memory, deformable->grid);
    deformable->grid = NULL;
}

/* ---- entered and left ---------------------------------------------------------------------------- */

static void run_pass(pli_world *world, const pli_grid_layout *grid, pli_grid_pass pass, void *data)
{
    pli_parallel(world, grid->rows, ROW_GRAIN_PARTICLES / grid->columns + 1, pass, data);
}

static bool needs_previous(const pli_world *world, const pli_deformable_data *deformable)
{
    for (const pli_constraint_set_data *set = deformable->first_set; set; set = set->next)
        if (set->runs && pli_constraint_set_reads_bases(world, set))
            return true;
    return false;
}

void pli_grid_enter(pli_world *world, pli_deformable_data *deformable)
{
    pli_grid_copy copy = {deformable->grid, deformable->particles};
    run_pass(world, deformable->grid, world->kernels->grid->enter, &copy);
    if (needs_previous(world, deformable)) {
        copy.particles = pli_deformable_bases(deformable);
        run_pass(world, deformable->grid, world->kernels->grid->enter_previous, &copy);
    }
    if (deformable->lost) {
        copy.particles = deformable->lost;
        run_pass(world, deformable->grid, world->kernels->grid->enter_lost, &copy);
    }
}

void pli_grid_leave(pli_world *world, pli_deformable_data *deformable)
{
    pli_grid_copy copy = {deformable->grid, deformable->particles};
    run_pass(world, deformable->grid, world->kernels->grid->leave, &copy);
    if (deformable->lost) {
        copy.particles = deformable->lost;
        run_pass(world, deformable->grid, world->kernels->grid->leave_lost, &copy);
    }
}

/* ---- runs --------------------------------------------------------------------------------------- */

bool pli_runs_mark(pli_world *world, pli_constraint_set_data *set)
{
    int32_t run_count = set->run_offsets[2 * set->block_count], next = 0;
    const pli_slot_run *last = &set->runs[run_count - 1];
    set->run_marks = PLI_ALLOCATE_UNSET(&world->memory, int32_t, (last->slot + last->count) / PLI_RUN_STRIDE + 1);
    for (int32_t r = 0; r < run_count && set->run_marks; r++)
        for (; next < set->runs[r].slot + set->runs[r].count; next += PLI_RUN_STRIDE)
            set->run_marks[next / PLI_RUN_STRIDE] = r;
    return set->run_marks != NULL;
}

const pli_slot_run *pli_run_of(const pli_constraint_set_data *set, int32_t slot)
{
    const pli_slot_run *run = &set->runs[set->run_marks[slot / PLI_RUN_STRIDE]];
    while (slot - run->slot >= run->count)
        run++;
    return run;
}

/* ---- sweeps ------------------------------------------------------------------------------------- */

typedef struct block_sweep {
    pli_project run;
    const pli_projection *projection;
    const int32_t *offsets; // [blocks + 1] first run of each block.
} block_sweep;

static void run_block(void *data, int32_t block)
{
    const block_sweep *s = data;
    s->run(s->projection, s->offsets[block], s->offsets[block + 1]);
}

void pli_runs_project(pli_world *world, const pli_constraint_set_data *set, const pli_projection *projection)
{
    pli_constraint_table table = world->kernels->types_in_runs();
    block_sweep s = {table.rows[pli_constraint_type_index(set->type->name)]->project, projection, set->run_offsets};
    // The runs that cross from each block into the next follow the runs inside of blocks.
    for (int32_t phase = 0; phase < 2; phase++) {
        bool across = (phase == 1) != projection->backward;
        s.offsets = set->run_offsets + (across ? set->block_count : 0);
        pli_tasks_run(world->tasks, set->block_count - across, run_block, &s);
    }
}
