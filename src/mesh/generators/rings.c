// One constraint for each interior vertex: the vertex, then its one-ring in order.
//
//        r1 -- r0         particles   v r0 r1 r2 r3 r4
//       /  \   / \.       triangles   (v r0 r1) (v r1 r2) ...
//     r2 --- v -- r4
//       \   /  /
//         r3
#include "base/text.h"
#include "mesh/generators/recipe.h"
#include "mesh/generators/stencils.h"
#include "mesh/mesh.h"

#include "mesh/fabric/fabric.h"

static int32_t ring_size(const pli_topology *topology, int32_t v)
{
    return topology->ring_offsets[v + 1] - topology->ring_offsets[v];
}

typedef struct ring_source {
    const pli_topology *topology;
    pli_stencils *stencils;
} ring_source;

// Adds a constraint of vertex v, whose ring is copied later. It has one particle more than triangles.
static void add_ring_stencil(const ring_source *source, int32_t v)
{
    pli_stencils *s = source->stencils;
    const int32_t i = s->count++, size = ring_size(source->topology, v);
    s->particles[s->offsets[i]] = v;
    s->areas[i] = (double)source->topology->vertex_areas[v];
    s->offsets[i + 1] = s->offsets[i] + 1 + size;
    s->triangle_offsets[i + 1] = s->triangle_offsets[i] + size;
}

static void copy_rings(void *data, int32_t begin, int32_t end)
{
    const ring_source *source = data;
    const pli_stencils *s = source->stencils;
    for (int32_t i = begin; i < end; i++) {
        int32_t *particles = s->particles + s->offsets[i], *corners = s->triangles + 3 * s->triangle_offsets[i];
        const int32_t size = ring_size(source->topology, particles[0]);
        const int32_t *ring = source->topology->ring_vertices + source->topology->ring_offsets[particles[0]];
        for (int32_t k = 0; k < size; k++, corners += 3) {
            particles[1 + k] = ring[k];
            corners[0] = 0, corners[1] = 1 + k, corners[2] = 1 + (k + 1) % size;
        }
    }
}

// The offsets of the rings are assigned in order; then all threads copy the rings.
static bool rings_fill(const pli_topology *topology, pli_stencils *stencils)
{
    ring_source source = {topology, stencils};
    const pli_part part = pli_part_of(stencils, topology->vertex_count);
    const int32_t vertices = part.end - part.begin;
    const int64_t neighbours = topology->ring_offsets[part.end] - topology->ring_offsets[part.begin];
    if (!pli_stencils_allocate(stencils, vertices, neighbours + vertices, neighbours))
        return false;
    for (int32_t v = part.begin; v < part.end; v++)
        if (!topology->vertex_boundary[v] && ring_size(topology, v) >= 3)
            add_ring_stencil(&source, v);
    pli_run_pieces(&stencils->tasks, stencils->count, PLI_PIECE, copy_rings, &source);
    return true;
}

static pli_status rings_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    if (report->non_manifold_vertices > 0)
        return pli_fail(error, PLI_STATUS_INVALID_MESH,
                        "rings: vertex %d joins several fans of faces, so its ring has no order; repair the mesh",
                        (int)report->first_non_manifold_vertex);
    return rings_fill(pli_mesh_base(mesh), stencils) ? pli_succeed(error) : pli_fail_memory(error);
}

// The ring of an interior vertex is the set of its neighbours.
static bool rings_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
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
    .generate = rings_generate,
    .survives_cut = rings_holds,
};
