// One constraint for each interior vertex: the vertex, then its one-ring in order.
//
//        r1 -- r0         particles   v r0 r1 r2 r3 r4
//       /  \   / \.       triangles   (v r0 r1) (v r1 r2) ...
//     r2 --- v -- r4
//       \   /  /
//         r3
#include "base/text.h"
#include "generators/recipe.h"
#include "generators/stencils.h"

#include "mesh/fabric/fabric.h"

static bool closed_ring(const pli_topology *topology, int32_t v)
{
    return !topology->vertex_boundary[v] && topology->ring_offsets[v + 1] - topology->ring_offsets[v] >= 3;
}

// Rings and ring vertices of a piece; after sum_totals those of all pieces before it.
typedef struct ring_totals {
    int32_t count;
    int64_t neighbours;
} ring_totals;

typedef struct ring_source {
    const pli_topology *topology;
    pli_stencils *stencils;
    ring_totals *totals; // [pieces]
} ring_source;

static int32_t ring_size(const pli_topology *topology, int32_t v)
{
    return topology->ring_offsets[v + 1] - topology->ring_offsets[v];
}

static void count_rings(void *data, int32_t begin, int32_t end)
{
    const ring_source *source = data;
    ring_totals *totals = &source->totals[begin / PLI_PIECE];
    for (int32_t v = begin; v < end; v++) {
        if (!closed_ring(source->topology, v))
            continue;
        totals->count++;
        totals->neighbours += ring_size(source->topology, v);
    }
}

// Writes the ring of vertex v. A ring has one particle more than triangles, so its particles begin at triangle +
// constraint.
static void write_ring(const ring_source *source, int32_t v, int32_t constraint, int32_t triangle)
{
    pli_stencils *s = source->stencils;
    const int32_t *ring = source->topology->ring_vertices + source->topology->ring_offsets[v];
    int32_t at = triangle + constraint, size = ring_size(source->topology, v);
    s->particles[at] = v;
    for (int32_t i = 0; i < size; i++) {
        s->particles[at + 1 + i] = ring[i];
        int32_t *corners = s->triangles + 3 * (triangle + i);
        corners[0] = 0, corners[1] = 1 + i, corners[2] = 1 + (i + 1) % size;
    }
    s->areas[constraint] = (double)source->topology->vertex_areas[v];
    s->offsets[constraint + 1] = at + 1 + size;
    s->triangle_offsets[constraint + 1] = triangle + size;
}

static void write_rings(void *data, int32_t begin, int32_t end)
{
    const ring_source *source = data;
    int32_t constraint = source->totals[begin / PLI_PIECE].count;
    int32_t triangle = (int32_t)source->totals[begin / PLI_PIECE].neighbours;
    for (int32_t v = begin; v < end; v++) {
        if (!closed_ring(source->topology, v))
            continue;
        write_ring(source, v, constraint++, triangle);
        triangle += ring_size(source->topology, v);
    }
}

// Replaces the totals of each piece by those of the pieces before it (exclusive prefix sum); returns the sum of all.
static ring_totals sum_totals(const ring_source *source, int32_t pieces)
{
    ring_totals sum = {0, 0};
    for (int32_t i = 0; i < pieces; i++) {
        ring_totals own = source->totals[i];
        source->totals[i] = sum;
        sum.count += own.count, sum.neighbours += own.neighbours;
    }
    return sum;
}

static bool fill(pli_memory *memory, const pli_topology *topology, pli_stencils *stencils)
{
    int32_t vertices = topology->vertex_count, pieces = pli_piece_count(vertices, PLI_PIECE);
    ring_source source = {topology, stencils, PLI_ALLOCATE(memory, ring_totals, pieces)};
    if (!source.totals)
        return false;
    pli_run_pieces(&stencils->tasks, vertices, PLI_PIECE, count_rings, &source);
    ring_totals all = sum_totals(&source, pieces);
    bool complete = pli_stencils_allocate(stencils, all.count, all.neighbours + all.count, all.neighbours);
    if (complete)
        pli_run_pieces(&stencils->tasks, vertices, PLI_PIECE, write_rings, &source);
    stencils->count = complete ? all.count : 0;
    pli_release(memory, source.totals);
    return complete;
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    pli_memory memory = pli_memory_make(&stencils->hooks);
    if (report->non_manifold_vertices > 0)
        return pli_fail(error, PLI_STATUS_INVALID_MESH,
                        "rings: vertex %d joins several fans of faces, so its ring has no order; repair the mesh",
                        (int)report->first_non_manifold_vertex);
    return fill(&memory, pli_mesh_topology(mesh), stencils) ? pli_succeed(error) : pli_fail_memory(error);
}

// The ring of an interior vertex is the set of its neighbours.
static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    if (fabric->faces.vertex_boundary[v[0]])
        return false;
    for (int32_t i = 1; i < count; i++)
        if (!pli_fabric_joined(fabric, v[0], v[i]))
            return false;
    return true;
}

const pli_generator pli_generator_row_rings = {
    .name = "rings",
    .label = PLI_TEXT("Rings"),
    .summary = PLI_TEXT("Each vertex inside the surface gives itself and its ring of neighbours."),
    .source = PLI_TEXT("Wardetzky et al. 2007, Discrete Quadratic Curvature Energies"),
    .generate = generate,
    .survives_cut = holds,
};
