// The order of particles in memory. Kernels are fast when constraints access particles that lie close together: random
// numbering makes a step 4 times as slow at a million vertices.
//
// Particles are sorted along a Morton curve (Z order) through the rest shape. Where enough of the mesh is regular, they
// are ordered along its lines instead (sweep/line_order.h).
//
//   Morton key: bits of x, y and z interleaved, ... z1 y1 x1 z0 y0 x0
#include "sweep/vertex_order.h"

#include "model/model.h"
#include "sweep/grid/grid_layout.h"

#include "base/sort.h"
#include "sweep/line_order.h"

#include <math.h>
#include <stdlib.h>

// Meshes with fewer vertices, or with a smaller fraction of regular edges, gain nothing by line order.
enum { LEAST_LINE_VERTICES = 1024 };
#define LEAST_REGULAR 0.5

// Moves the lower 21 bits of a number to every third bit.
static uint64_t interleave_bits(uint64_t a)
{
    a &= 0x1fffff;
    a = (a | a << 32) & 0x1f00000000ffffull;
    a = (a | a << 16) & 0x1f0000ff0000ffull;
    a = (a | a << 8) & 0x100f00f00f00f00full;
    a = (a | a << 4) & 0x10c30c30c30c30c3ull;
    a = (a | a << 2) & 0x1249249249249249ull;
    return a;
}

static uint64_t morton(const float *position, const float *low, float scale)
{
    uint64_t key = 0;
    for (int32_t axis = 0; axis < 3; axis++)
        key |= interleave_bits((uint64_t)((position[axis] - low[axis]) * scale)) << axis;
    return key;
}

static bool morton_order(pli_memory *memory, const pli_topology *topology, int32_t *order)
{
    int32_t count = topology->vertex_count;
    pli_sort_item *items = PLI_ALLOCATE(memory, pli_sort_item, count);
    if (!items)
        return false;
    float low[3] = {INFINITY, INFINITY, INFINITY}, size = 0.0f;
    for (int32_t i = 0; i < 3 * count; i++)
        low[i % 3] = fminf(low[i % 3], topology->positions[i]);
    for (int32_t i = 0; i < 3 * count; i++)
        size = fmaxf(size, topology->positions[i] - low[i % 3]);
    float scale = size > 0.0f && isfinite(size) ? 2097151.0f / size : 0.0f;
    for (int32_t i = 0; i < count; i++)
        items[i] = (pli_sort_item){morton(topology->positions + 3 * i, low, scale), i};
    bool sorted = pli_sort(memory, items, count);
    for (int32_t i = 0; i < count; i++)
        order[items[i].value] = i;
    pli_release(memory, items);
    return sorted;
}

// Sum over the edges of the bits of the distance in memory between their ends, a measure of locality.
static double edge_span_bits(const pli_topology *topology, const int32_t *order)
{
    double sum = 0.0;
    for (int32_t e = 0; e < topology->edge_count; e++) {
        int32_t a = topology->edges[2 * e], b = topology->edges[2 * e + 1];
        uint32_t gap = (uint32_t)(order ? abs(order[a] - order[b]) : abs(a - b));
        sum += gap ? 32 - __builtin_clz(gap) : 0;
    }
    return sum;
}

// Replaces the curve by line order if that makes enough edges regular.
static bool try_lines(pli_memory *memory, const pli_topology *topology, int32_t **order, bool *taken)
{
    *taken = false;
    if (topology->vertex_count < LEAST_LINE_VERTICES)
        return true;
    int32_t *lines = PLI_ALLOCATE_UNSET(memory, int32_t, topology->vertex_count);
    double share = lines ? pli_line_order(memory, topology, *order, lines) : -1.0;
    *taken = share >= LEAST_REGULAR;
    pli_release(memory, *taken ? *order : lines);
    *order = *taken ? lines : *order;
    return share >= 0.0;
}

bool pli_particle_order(pli_memory *memory, const pli_mesh *mesh, int32_t **order)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    bool in_lines = false;
    *order = PLI_ALLOCATE(memory, int32_t, topology->vertex_count);
    if (!*order || !morton_order(memory, topology, *order) || !try_lines(memory, topology, order, &in_lines)) {
        pli_release(memory, *order);
        *order = NULL;
        return false;
    }
    if (!in_lines && edge_span_bits(topology, NULL) <= 1.1 * edge_span_bits(topology, *order)) {
        pli_release(memory, *order);
        *order = NULL;
    }
    return true;
}

/* ---- the feature -------------------------------------------------------------------------------- */

// The layout of a grid, or the order of the particles in memory.
static bool create_vertex_order(pli_world *world, pli_deformable_data *deformable)
{
    pli_memory *memory = &world->memory;
    bool ordered = pli_grid_make(world, deformable);
    if (ordered && !deformable->grid && world->order == PLI_ORDER_COLOURED)
        ordered = pli_particle_order(memory, deformable->mesh, &deformable->order);
    if (!ordered || !deformable->order)
        return ordered;
    deformable->vertices = PLI_ALLOCATE(memory, int32_t, deformable->capacity);
    for (int32_t v = 0; deformable->vertices && v < deformable->count; v++)
        deformable->vertices[deformable->order[v]] = v;
    return deformable->vertices != NULL;
}

const pli_feature pli_feature_grid = {
    .name = "order in memory",
    .at = offsetof(pli_deformable_data, grid),
    .create = create_vertex_order,
    .destroy = pli_grid_free,
};
