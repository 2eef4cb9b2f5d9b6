// The topological part of a report, and the decision whether the mesh is accepted.
#include "mesh/mesh_report.h"

#include "mesh/fans.h"

static void note_defect(int32_t *count, int32_t *first, int32_t index)
{
    if ((*count)++ == 0)
        *first = index;
}

static void note_edge(const pli_draft *draft, int32_t *count, int32_t *first, int32_t edge)
{
    if ((*count)++ == 0) {
        first[0] = draft->edges[2 * (size_t)edge];
        first[1] = draft->edges[2 * (size_t)edge + 1];
    }
}

static void report_edges(const pli_draft *draft, pli_mesh_report *report)
{
    report->edge_count = draft->edge_count;
    for (int32_t edge = 0; edge < draft->edge_count; edge++) {
        if (pli_is_boundary_edge(draft, edge))
            report->boundary_edge_count++;
        else if (pli_is_non_manifold_edge(draft, edge))
            note_edge(draft, &report->non_manifold_edges, report->first_non_manifold_edge, edge);
        else
            report->hinge_count++;
        if (pli_is_misoriented_edge(draft, edge))
            note_edge(draft, &report->misoriented_edges, report->first_misoriented_edge, edge);
    }
}

static bool report_faces(const pli_draft *draft, pli_mesh_report *report)
{
    uint8_t *duplicate = PLI_ALLOCATE(draft->memory, uint8_t, draft->face_count);
    int32_t *seen = PLI_ALLOCATE(draft->memory, int32_t, draft->vertex_count);
    bool done = duplicate && seen && pli_draft_duplicate_faces(draft, duplicate) >= 0;
    for (int32_t face = 0; done && face < draft->face_count; face++) {
        if (duplicate[face])
            note_defect(&report->duplicate_faces, &report->first_duplicate_face, face);
        if (pli_draft_repeats_vertex(draft, face, seen))
            note_defect(&report->repeated_vertex_faces, &report->first_repeated_vertex_face, face);
    }
    pli_release(draft->memory, seen);
    pli_release(draft->memory, duplicate);
    return done;
}

bool pli_report_duplicates(const pli_draft *draft, pli_mesh_report *report)
{
    report->duplicate_vertices = pli_draft_duplicate_vertices(draft, &report->first_duplicate_vertex);
    return report->duplicate_vertices >= 0 && report_faces(draft, report);
}

static void report_vertices(const pli_draft *draft, pli_mesh_report *report)
{
    report->non_manifold_vertices = draft->split_vertices;
    report->first_non_manifold_vertex = draft->first_split_vertex;
    for (int32_t vertex = 0; vertex < draft->vertex_count; vertex++)
        if (draft->corner_offsets[vertex] == draft->corner_offsets[vertex + 1])
            note_defect(&report->isolated_vertices, &report->first_isolated_vertex, vertex);
}

// Boundary loops are defined only when all edges are manifold.
static bool report_boundary(const pli_draft *draft, pli_mesh_report *report)
{
    if (report->boundary_edge_count == 0 || report->non_manifold_edges || report->repeated_vertex_faces)
        return true;
    int32_t *offsets = PLI_ALLOCATE(draft->memory, int32_t, (size_t)report->boundary_edge_count + 1);
    int32_t *vertices = PLI_ALLOCATE(draft->memory, int32_t, report->boundary_edge_count);
    int32_t loops = offsets && vertices ? pli_fill_boundary(draft, offsets, vertices) : -1;
    report->boundary_loop_count = loops < 0 ? 0 : loops;
    pli_release(draft->memory, vertices);
    pli_release(draft->memory, offsets);
    return loops >= 0;
}

bool pli_report_topology(const pli_draft *draft, pli_mesh_report *report)
{
    report->triangle_count = draft->triangle_count;
    report->component_count = draft->component_count;
    report_edges(draft, report);
    report->closed = draft->face_count > 0 && report->boundary_edge_count == 0;
    report->oriented = report->misoriented_edges == 0;
    report_vertices(draft, report);
    return report_boundary(draft, report);
}

static int32_t faces_on_edge(const pli_draft *draft, const int32_t *ends)
{
    int32_t count = 0;
    for (int32_t corner = 0; corner < draft->corner_count; corner++) {
        int32_t from = draft->face_vertices[corner], to = draft->face_vertices[pli_next_corner(draft, corner)];
        count += (from == ends[0] && to == ends[1]) || (from == ends[1] && to == ends[0]);
    }
    return count;
}

pli_status pli_judge_report(const pli_draft *draft, const pli_mesh_report *report, pli_error *error)
{
    if (report->repeated_vertex_faces)
        return pli_fail(error, PLI_STATUS_INVALID_MESH,
                        "mesh: face %d uses a vertex twice (%d such faces); remove it, or ask for repair",
                        (int)report->first_repeated_vertex_face, (int)report->repeated_vertex_faces);
    if (report->non_manifold_edges)
        return pli_fail(error, PLI_STATUS_INVALID_MESH,
                        "mesh: the edge between vertices %d and %d has %d faces, more than 2 (%d such edges); "
                        "remove faces, or ask for repair, which cuts the mesh apart there",
                        (int)report->first_non_manifold_edge[0], (int)report->first_non_manifold_edge[1],
                        (int)faces_on_edge(draft, report->first_non_manifold_edge), (int)report->non_manifold_edges);
    return pli_succeed(error);
}
