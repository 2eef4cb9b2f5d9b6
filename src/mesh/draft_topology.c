// The topology of a finished mesh from its draft: the arrays derived last, and those taken over from the draft.
#include "mesh/fans.h"
#include "mesh/mesh_report.h"

static void release(pli_draft *draft, int32_t **array)
{
    pli_release(draft->memory, *array);
    *array = NULL;
}

static void fill_hinges(const pli_draft *draft, int32_t *hinges, int32_t *hinge_edges)
{
    for (int32_t edge = 0, hinge = 0; edge < draft->edge_count; edge++) {
        const int32_t *corners = draft->edge_corners + 2 * (size_t)edge;
        if (corners[1] < 0)
            continue;
        int32_t second = pli_next_corner(draft, corners[0]);
        int32_t *p = hinges + 4 * (size_t)hinge;
        p[0] = draft->face_vertices[corners[0]];
        p[1] = draft->face_vertices[second];
        p[2] = draft->face_vertices[pli_next_corner(draft, second)];
        p[3] = draft->face_vertices[pli_next_corner(draft, pli_next_corner(draft, corners[1]))];
        hinge_edges[hinge++] = edge;
    }
}

// Corners of edges become faces in place.
static int32_t *take_edge_faces(pli_draft *draft)
{
    int32_t *edge_faces = draft->edge_corners;
    for (size_t i = 0; i < 2 * (size_t)draft->edge_count; i++)
        edge_faces[i] = edge_faces[i] < 0 ? -1 : draft->corner_faces[edge_faces[i]];
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

static bool fill_adjacency(pli_mesh *mesh, pli_draft *draft)
{
    pli_memory *memory = &mesh->memory;
    pli_topology *topology = &mesh->topology;
    int32_t hinge_count = mesh->report.hinge_count;
    int32_t *hinges = PLI_ALLOCATE_UNSET(memory, int32_t, 4 * (size_t)hinge_count);
    int32_t *hinge_edges = PLI_ALLOCATE_UNSET(memory, int32_t, hinge_count);
    uint8_t *component_closed = PLI_ALLOCATE(memory, uint8_t, draft->component_count);
    topology->hinge_count = hinge_count;
    topology->hinges = hinges;
    topology->hinge_edges = hinge_edges;
    topology->component_closed = component_closed;
    if (!hinges || !hinge_edges || !component_closed)
        return false;
    fill_hinges(draft, hinges, hinge_edges);
    topology->edge_faces = take_edge_faces(draft);
    mark_closed(draft, component_closed);
    return true;
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

// Where all faces are triangles, those around a vertex are those of its corners.
static bool fill_vertex_triangles(pli_mesh *mesh, pli_draft *draft)
{
    int32_t *offsets = draft->corner_offsets, *members = draft->vertex_corners;
    bool done = true;
    if (draft->triangles == draft->face_vertices)
        draft->corner_offsets = draft->vertex_corners = NULL;
    else
        done = pli_group(&mesh->memory, draft->triangles, 3 * draft->triangle_count, draft->vertex_count, &offsets,
                         &members);
    mesh->topology.triangle_offsets = offsets;
    mesh->topology.vertex_triangles = members;
    for (int32_t i = 0; done && i < 3 * draft->triangle_count; i++)
        members[i] /= 3;
    return done;
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

// The topology becomes the owner of the draft's arrays that it needs.
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
    topology->edges = draft->edges, draft->edges = NULL;
    topology->vertex_boundary = draft->vertex_borders, draft->vertex_borders = NULL;
    topology->ring_offsets = draft->ring_offsets, draft->ring_offsets = NULL;
    topology->ring_vertices = draft->ring_vertices, draft->ring_vertices = NULL;
    topology->vertex_components = draft->vertex_components, draft->vertex_components = NULL;
    topology->face_components = draft->face_components, draft->face_components = NULL;
}

bool pli_fill_topology(pli_mesh *mesh, pli_draft *draft)
{
    if (!fill_boundary(mesh, draft))
        return false;
    release(draft, &draft->corner_twins);
    if (!fill_adjacency(mesh, draft))
        return false;
    release(draft, &draft->corner_faces);
    if (!fill_vertex_triangles(mesh, draft) || !fill_measures(mesh, draft))
        return false;
    adopt(&mesh->topology, draft);
    return true;
}
