// Creates the layout of a grid, and finds runs by slot: sweep/grid/grid_layout.h.
#include "sweep/grid/grid_layout.h"

#include "mesh/grid_detect.h"

// Smaller grids gain nothing, since a part of a row, over which registers run, has a quarter of the columns.
enum { LEAST_COLUMNS = 24, LEAST_ROWS = 8 };

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

/* ---- runs --------------------------------------------------------------------------------------- */

bool pli_runs_mark(pli_world *world, pli_constraints_data *set)
{
    int32_t run_count = set->run_offsets[2 * set->block_count], next = 0;
    const pli_slot_run *last = &set->runs[run_count - 1];
    set->run_marks = PLI_ALLOCATE_UNSET(&world->memory, int32_t, (last->slot + last->count) / PLI_RUN_STRIDE + 1);
    for (int32_t r = 0; r < run_count && set->run_marks; r++)
        for (; next < set->runs[r].slot + set->runs[r].count; next += PLI_RUN_STRIDE)
            set->run_marks[next / PLI_RUN_STRIDE] = r;
    return set->run_marks != NULL;
}

const pli_slot_run *pli_run_of(const pli_constraints_data *set, int32_t slot)
{
    const pli_slot_run *run = &set->runs[set->run_marks[slot / PLI_RUN_STRIDE]];
    while (slot - run->slot >= run->count)
        run++;
    return run;
}
