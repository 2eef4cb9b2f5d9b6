// Creates, shares and destroys meshes. The arrays are checked, copied into a draft, repaired on request and validated;
// then the arrays of the draft become the topology.
#include "mesh/mesh.h"

#include "mesh/fans.h"
#include "mesh/mesh_report.h"

pli_mesh_def pli_mesh_def_default(void) { return (pli_mesh_def){.hooks = pli_hooks_default()}; }

// Only the rings need the corners at each vertex, so these are released before the next arrays are derived.
static bool mesh_make_rings(pli_draft *draft)
{
    const bool done = pli_draft_rings(draft);
    pli_release(draft->memory, draft->vertex_corners);
    draft->vertex_corners = NULL;
    return done;
}

// Duplicates are searched first, while the least memory is in use.
static bool derive(pli_draft *draft, pli_mesh_report *report)
{
    return pli_report_duplicates(draft, report) && pli_draft_edges(draft) && mesh_make_rings(draft) &&
           pli_draft_components(draft) && pli_draft_triangulate(draft) && pli_report_topology(draft, report);
}

// The sum of all sizes bounds every index; it is checked again after cuts have added vertices.
static pli_status check_vertex_count(const pli_draft *draft, pli_error *error)
{
    if (draft->vertex_count > PLI_MESH_COUNT_MAX)
        return pli_fail(error, PLI_STATUS_INVALID_MESH, "mesh: cutting it apart makes %d vertices; split the mesh",
                        (int)draft->vertex_count);
    return PLI_STATUS_OK;
}

static pli_status repair(pli_draft *draft, pli_mesh_report *report, pli_error *error)
{
    if (!pli_draft_repair(draft))
        return pli_fail_memory(error);
    report->vertex_count = draft->vertex_count;
    report->face_count = draft->face_count;
    report->face_degree_min = report->face_degree_max = 0;
    for (int32_t face = 0; face < draft->face_count; face++) {
        int32_t degree = draft->face_offsets[face + 1] - draft->face_offsets[face];
        report->face_degree_min = face == 0 || degree < report->face_degree_min ? degree : report->face_degree_min;
        report->face_degree_max = degree > report->face_degree_max ? degree : report->face_degree_max;
    }
    return check_vertex_count(draft, error);
}

static pli_status examine(const pli_mesh_def *def, pli_mesh_report *report, pli_error *error)
{
    bool readable;
    const pli_status checked = pli_check_mesh_def(def, report, &readable, error);
    if (!readable)
        return checked;
    pli_memory memory = pli_memory_make(&def->hooks);
    pli_draft draft;
    pli_status status = checked;
    if (!pli_draft_borrow(&draft, &memory, def) || !derive(&draft, report))
        status = pli_fail_memory(error);
    else if (!report->non_finite_vertices)
        pli_measure_draft(&draft, report, NULL);
    if (!status && def->policy == PLI_MESH_REFUSE)
        status = pli_judge_report(&draft, report, error);
    pli_draft_release(&draft);
    return status;
}

pli_status pli_mesh_inspect(const pli_mesh_def *def, pli_mesh_report *report, pli_error *error)
{
    PLI_ASSERT(NULL, def && report);
    return examine(def, report, error);
}

static pli_status mesh_build(pli_mesh *mesh, pli_draft *draft, const pli_mesh_def *def, pli_error *error)
{
    const bool repairs = def->policy == PLI_MESH_REPAIR;
    if (!pli_draft_borrow(draft, &mesh->memory, def) || (repairs && !pli_draft_own(draft)))
        return pli_fail_memory(error);
    pli_status status = repairs ? repair(draft, &mesh->report, error) : PLI_STATUS_OK;
    if (status)
        return status;
    if (!derive(draft, &mesh->report))
        return pli_fail_memory(error);
    status = pli_judge_report(draft, &mesh->report, error);
    if (status)
        return status;
    return pli_fill_topology(mesh, draft) ? pli_succeed(error) : pli_fail_memory(error);
}

static void release_const(pli_memory *memory, const void *array) { pli_release(memory, (void *)(uintptr_t)array); }

static void release_mesh(pli_mesh *mesh)
{
    pli_memory memory = mesh->memory;
    const pli_topology *t = &mesh->topology;
    const void *const arrays[] = {
        t->positions,        t->face_offsets,     t->face_vertices,     t->triangle_faces,    t->edges,
        t->edge_faces,       t->hinges,           t->hinge_edges,       t->ring_offsets,      t->ring_vertices,
        t->vertex_boundary,  t->boundary_offsets, t->boundary_vertices, t->vertex_components, t->face_components,
        t->component_closed, t->vertex_source,    t->vertex_areas,      t->triangle_offsets,  t->vertex_triangles,
    };
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        release_const(&memory, arrays[i]);
    if (t->triangles != t->face_vertices)
        release_const(&memory, t->triangles);
    pli_release(&memory, mesh);
}

pli_status pli_mesh_create(const pli_mesh_def *def, pli_mesh **mesh, pli_error *error)
{
    PLI_ASSERT(NULL, def && mesh);
    pli_mesh_report report;
    bool readable;
    pli_status status = pli_check_mesh_def(def, &report, &readable, error);
    if (status)
        return status;
    pli_memory memory = pli_memory_make(&def->hooks);
    pli_mesh *made = PLI_ALLOCATE(&memory, pli_mesh, 1);
    if (!made)
        return pli_fail_memory(error);
    made->memory = memory;
    made->report = report;
    atomic_init(&made->references, 1);
    atomic_init(&made->later, 0);
    pli_draft draft;
    status = mesh_build(made, &draft, def, error);
    pli_draft_release(&draft);
    if (status)
        release_mesh(made);
    else
        *mesh = made;
    return status;
}

static atomic_int *references_of(const pli_mesh *mesh) { return &((pli_mesh *)(uintptr_t)mesh)->references; }

const pli_mesh *pli_mesh_retain(const pli_mesh *mesh)
{
    atomic_fetch_add_explicit(references_of(mesh), 1, memory_order_relaxed);
    return mesh;
}

void pli_mesh_destroy(pli_mesh *mesh)
{
    if (mesh && atomic_fetch_sub_explicit(&mesh->references, 1, memory_order_acq_rel) == 1)
        release_mesh(mesh);
}

const pli_mesh_report *pli_mesh_get_report(const pli_mesh *mesh) { return &mesh->report; }
