// Every vertex that is not on the border, with its one-ring in order.
#include "generators/surface.h"

#include "tearing/fabric.h"

static bool closed_ring(const pli_topology *topology, int32_t v)
{
    return !topology->vertex_boundary[v] && topology->ring_offsets[v + 1] - topology->ring_offsets[v] >= 3;
}

static void put_ring(pli_stencils *s, const pli_topology *topology, int32_t v)
{
    int32_t at = s->offsets[s->count], triangle = s->triangle_offsets[s->count];
    int32_t begin = topology->ring_offsets[v], size = topology->ring_offsets[v + 1] - begin;
    s->particles[at] = v;
    for (int32_t i = 0; i < size; i++) {
        s->particles[at + 1 + i] = topology->ring_vertices[begin + i];
        int32_t *corners = s->triangles + 3 * (triangle + i);
        corners[0] = 0, corners[1] = 1 + i, corners[2] = 1 + (i + 1) % size;
    }
    s->areas[s->count] = (double)topology->vertex_areas[v];
    s->count++;
    s->offsets[s->count] = at + 1 + size;
    s->triangle_offsets[s->count] = triangle + size;
}

static pli_status generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_topology(mesh);
    const pli_mesh_report *report = pli_mesh_report_get(mesh);
    if (report->non_manifold_vertices > 0)
        return pli_fail(error, PLI_STATUS_INVALID_MESH,
                        "rings: vertex %d joins several fans of faces, so its ring has no order; repair the mesh",
                        (int)report->first_non_manifold_vertex);
    int32_t count = 0;
    int64_t ring_total = 0;
    for (int32_t v = 0; v < topology->vertex_count; v++) {
        if (!closed_ring(topology, v))
            continue;
        count++;
        ring_total += topology->ring_offsets[v + 1] - topology->ring_offsets[v];
    }
    if (!pli_surface_allocate(stencils, count, ring_total + count, ring_total))
        return pli_fail_memory(error);
    for (int32_t v = 0; v < topology->vertex_count; v++)
        if (closed_ring(topology, v))
            put_ring(stencils, topology, v);
    return pli_succeed(error);
}

// The ring of a vertex inside the surface is all that is joined to it.
static bool holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    if (fabric->faces.vertex_boundary[v[0]])
        return false;
    for (int32_t i = 1; i < count; i++)
        if (!pli_fabric_joined(fabric, v[0], v[i]))
            return false;
    return true;
}

const pli_generator pli_generator_rings = {
    .name = "rings",
    .summary = "every vertex inside the surface with its ring of neighbours",
    .source = "Wardetzky et al. 2007, Discrete Quadratic Curvature Energies",
    .generate = generate,
    .holds = holds,
};
