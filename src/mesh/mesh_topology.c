// The topology of a finished mesh: arrays that are derived last from its draft, arrays taken over from the draft, and
// arrays that follow from others. The last kind is filled when the topology is first requested, which counting
// constraints never does.
#include "base/tasks.h"
#include "mesh/fans.h"
#include "mesh/mesh_report.h"

// Replaces the corners of edges by their faces in place.
static int32_t *take_edge_faces(pli_draft *draft)
{
    int32_t *edge_faces = draft->edge_corners;
    for (size_t i = 0; i < 2 * (size_t)draft->edge_count; i++)
        edge_faces[i] = edge_faces[i] < 0 ? -1 : pli_corner_face(draft, edge_faces[i]);
    draft->edge_corners = NULL;
    return edge_faces;
}

static void mark_closed(const pli_draft *draft, uint8_t *component_closed)
{
    for (int32_t i = 0; i < draft->component_count; i++)
        component_closed[i] = 1;
    for (int32_t vertex = 0; vertex < draft->vertex_count; vertex++)
        if (draft->vertex_borders[vertex])
            component_closed[draft->vertex_components[vertex]] = 0;
}

static bool fill_closed(pli_mesh *mesh, const pli_draft *draft)
{
    uint8_t *component_closed = PLI_ALLOCATE(&mesh->memory, uint8_t, draft->component_count);
    mesh->topology.component_closed = component_closed;
    if (component_closed)
        mark_closed(draft, component_closed);
    return component_closed;
}

// Allocates the arrays that are filled on first use, which then cannot fail. A large allocation occupies no memory
// before it is written.
static bool reserve_later(pli_mesh *mesh, const pli_draft *draft)
{
    pli_memory *memory = &mesh->memory;
    pli_topology *t = &mesh->topology;
    t->hinge_count = mesh->report.hinge_count;
    t->hinges = PLI_ALLOCATE_UNSET(memory, int32_t, 4 * (size_t)t->hinge_count);
    t->hinge_edges = PLI_ALLOCATE_UNSET(memory, int32_t, t->hinge_count);
    t->face_components = PLI_ALLOCATE_UNSET(memory, int32_t, draft->face_count);
    t->triangle_offsets = PLI_ALLOCATE_UNSET(memory, int32_t, (size_t)draft->vertex_count + 1);
    t->vertex_triangles = PLI_ALLOCATE_UNSET(memory, int32_t, 3 * (size_t)draft->triangle_count);
    return t->hinges && t->hinge_edges && t->face_components && t->triangle_offsets && t->vertex_triangles;
}

static bool fill_boundary(pli_mesh *mesh, const pli_draft *draft)
{
    size_t edges = (size_t)mesh->report.boundary_edge_count;
    int32_t *offsets = PLI_ALLOCATE(&mesh->memory, int32_t, edges + 1);
    int32_t *vertices = PLI_ALLOCATE(&mesh->memory, int32_t, edges);
    mesh->topology.boundary_offsets = offsets;
    mesh->topology.boundary_vertices = vertices;
    mesh->topology.boundary_loop_count = offsets && vertices ? pli_fill_boundary(draft, offsets, vertices) : -1;
    return mesh->topology.boundary_loop_count >= 0;
}

static bool fill_measures(pli_mesh *mesh, const pli_draft *draft)
{
    double *sums = PLI_ALLOCATE(&mesh->memory, double, draft->vertex_count);
    float *areas = PLI_ALLOCATE_UNSET(&mesh->memory, float, draft->vertex_count);
    mesh->topology.vertex_areas = areas;
    bool done = sums && areas;
    if (done) {
        pli_measure_draft(draft, &mesh->report, sums);
        for (int32_t i = 0; i < draft->vertex_count; i++)
            areas[i] = pli_clamp_to_float(sums[i]);
    }
    pli_release(&mesh->memory, sums);
    return done;
}

// Moves the arrays that the topology needs from the draft to the topology.
static void adopt(pli_topology *topology, pli_draft *draft)
{
    topology->vertex_count = draft->vertex_count;
    topology->face_count = draft->face_count;
    topology->corner_count = draft->corner_count;
    topology->triangle_count = draft->triangle_count;
    topology->edge_count = draft->edge_count;
    topology->component_count = draft->component_count;
    topology->positions = draft->positions, draft->positions = NULL;
    topology->vertex_source = draft->vertex_source, draft->vertex_source = NULL;
    topology->face_offsets = draft->face_offsets, draft->face_offsets = NULL;
    topology->face_vertices = draft->face_vertices, draft->face_vertices = NULL;
    topology->triangles = draft->triangles, draft->triangles = NULL;
    topology->triangle_faces = draft->triangle_faces, draft->triangle_faces = NULL;
    topology->ring_offsets = draft->ring_offsets, draft->ring_offsets = NULL;
    topology->ring_vertices = draft->ring_vertices, draft->ring_vertices = NULL;
    topology->vertex_components = draft->vertex_components, draft->vertex_components = NULL;
}

// Memory is freed before borrowed arrays are copied.
bool pli_fill_topology(pli_mesh *mesh, pli_draft *draft)
{
    pli_topology *topology = &mesh->topology;
    if (!fill_boundary(mesh, draft) || !fill_closed(mesh, draft) || !fill_measures(mesh, draft))
        return false;
    topology->edge_faces = take_edge_faces(draft);
    topology->edges = draft->edges, draft->edges = NULL;
    topology->vertex_boundary = draft->vertex_borders, draft->vertex_borders = NULL;
    pli_draft_release_edges(draft);
    if (!pli_draft_own(draft))
        return false;
    adopt(topology, draft);
    return reserve_later(mesh, draft);
}

/* ---- filled when first asked for ------------------------------------------------------------------ */

enum { EMPTY, FILLING, FILLED };

bool pli_edge_hinge(const pli_topology *t, int32_t edge, int32_t hinge[4])
{
    if (t->edge_faces[2 * edge + 1] < 0)
        return false;
    const int32_t a = t->edges[2 * edge], b = t->edges[2 * edge + 1];
    for (int32_t side = 0; side < 2; side++) {
        const int32_t face = t->edge_faces[2 * edge + side], *corners = t->face_vertices + t->face_offsets[face];
        int32_t degree = t->face_offsets[face + 1] - t->face_offsets[face], first = degree - 1, second = 0;
        while (corners[first] + corners[second] != a + b || (corners[first] != a && corners[first] != b))
            first = second++;
        if (side == 0)
            hinge[0] = corners[first], hinge[1] = corners[second];
        hinge[2 + side] = corners[second + 1 == degree ? 0 : second + 1];
    }
    return true;
}

static int32_t *writable(const int32_t *array) { return (int32_t *)(uintptr_t)array; }

static void topology_fill(const pli_topology *t)
{
    int32_t *hinge = writable(t->hinges), *hinge_edge = writable(t->hinge_edges),
            *triangles = writable(t->vertex_triangles);
    for (int32_t edge = 0; edge < t->edge_count; edge++)
        if (pli_edge_hinge(t, edge, hinge))
            hinge += 4, *hinge_edge++ = edge;
    for (int32_t face = 0; face < t->face_count; face++)
        writable(t->face_components)[face] = t->vertex_components[t->face_vertices[t->face_offsets[face]]];
    pli_group_into(t->triangles, 3 * t->triangle_count, t->vertex_count, writable(t->triangle_offsets), triangles);
    for (int32_t i = 0; i < 3 * t->triangle_count; i++)
        triangles[i] /= 3;
}

// The first of several threads fills the arrays; the others wait for it.
const pli_topology *pli_mesh_topology(const pli_mesh *mesh)
{
    atomic_int *later = &((pli_mesh *)(uintptr_t)mesh)->later;
    int expected = EMPTY, spins = 0;
    if (atomic_load_explicit(later, memory_order_acquire) != FILLED) {
        if (atomic_compare_exchange_strong(later, &expected, FILLING)) {
            topology_fill(&mesh->topology);
            atomic_store_explicit(later, FILLED, memory_order_release);
        }
        while (atomic_load_explicit(later, memory_order_acquire) != FILLED)
            pli_tasks_pause(&spins);
    }
    return &mesh->topology;
}
