// One constraint for each closed component of the mesh, over all its vertices and triangles.
// Mueller et al. 2006, Position Based Dynamics, section 4.4.
#include "base/text.h"
#include "mesh/generators/stencils.h"
#include "mesh/mesh.h"

#include "mesh/fabric/fabric.h"

static pli_status refuse_volume(const pli_mesh_report *report, pli_error *error)
{
    if (!report->oriented)
        return pli_fail(
            error, PLI_STATUS_INVALID_MESH,
            "closed_volume: %d edges have faces that run the same way (first: %d-%d), so there is no inside; "
            "repair the mesh",
            (int)report->misoriented_edges, (int)report->first_misoriented_edge[0],
            (int)report->first_misoriented_edge[1]);
    return pli_fail(error, PLI_STATUS_INVALID_MESH,
                    "closed_volume: no component is closed (%d boundary edges in %d loops); close the holes, or leave "
                    "out the volume constraint",
                    (int)report->boundary_edge_count, (int)report->boundary_loop_count);
}

// Counts the vertices and triangles of each closed component and sums them to offsets. Open components get constraint
// -1.
static void write_offsets(pli_stencils *s, const pli_topology *topology, int32_t *constraint_of)
{
    for (int32_t c = 0; c < topology->component_count; c++)
        constraint_of[c] = topology->component_closed[c] ? s->count++ : -1;
    for (int32_t v = 0; v < topology->vertex_count; v++)
        if (topology->vertex_components[v] >= 0 && constraint_of[topology->vertex_components[v]] >= 0)
            s->offsets[constraint_of[topology->vertex_components[v]] + 1]++;
    for (int32_t t = 0; t < topology->triangle_count; t++) {
        int32_t i = constraint_of[topology->vertex_components[topology->triangles[3 * t]]];
        if (i >= 0)
            s->triangle_offsets[i + 1]++;
    }
    for (int32_t i = 0; i < s->count; i++) {
        s->offsets[i + 1] += s->offsets[i];
        s->triangle_offsets[i + 1] += s->triangle_offsets[i];
    }
}

// Writes the vertices and triangles of each constraint. `local` receives the index of each vertex in its constraint;
// `filled` counts the entries written so far.
static void write_members(pli_stencils *s, const pli_topology *topology, const int32_t *constraint_of, int32_t *local,
                          int32_t *filled)
{
    for (int32_t v = 0; v < topology->vertex_count; v++) {
        int32_t c = topology->vertex_components[v];
        int32_t i = c >= 0 ? constraint_of[c] : -1;
        if (i < 0)
            continue;
        local[v] = filled[i]++;
        s->particles[s->offsets[i] + local[v]] = v;
    }
    for (int32_t i = 0; i < s->count; i++)
        filled[i] = s->triangle_offsets[i];
    for (int32_t t = 0; t < topology->triangle_count; t++) {
        int32_t i = constraint_of[topology->vertex_components[topology->triangles[3 * t]]];
        if (i < 0)
            continue;
        for (int32_t k = 0; k < 3; k++)
            s->triangles[3 * filled[i] + k] = local[topology->triangles[3 * t + k]];
        filled[i]++;
    }
}

static pli_status closed_volume_generate(const pli_mesh *mesh, pli_stencils *stencils, pli_error *error)
{
    const pli_topology *topology = pli_mesh_base(mesh);
    const pli_mesh_report *report = pli_mesh_get_report(mesh);
    int32_t closed = 0;
    for (int32_t c = 0; c < topology->component_count; c++)
        closed += topology->component_closed[c];
    if (closed == 0 || !report->oriented)
        return refuse_volume(report, error);
    if (!pli_stencils_allocate(stencils, closed, topology->vertex_count, topology->triangle_count))
        return pli_fail_memory(error);
    pli_memory memory = pli_memory_make(&stencils->hooks);
    int32_t *constraint_of = PLI_ALLOCATE(&memory, int32_t, topology->component_count);
    int32_t *local = PLI_ALLOCATE(&memory, int32_t, topology->vertex_count);
    int32_t *filled = PLI_ALLOCATE(&memory, int32_t, topology->component_count);
    bool complete = constraint_of && local && filled;
    if (complete) {
        write_offsets(stencils, topology, constraint_of);
        write_members(stencils, topology, constraint_of, local, filled);
    }
    pli_release(&memory, constraint_of);
    pli_release(&memory, local);
    pli_release(&memory, filled);
    if (complete)
        return pli_succeed(error);
    pli_stencils_release(stencils);
    return pli_fail_memory(error);
}

// A component is open if one of its vertices lies on a border.
static bool closed_volume_holds(const pli_fabric *fabric, const int32_t *v, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        if (fabric->faces.vertex_boundary[v[i]])
            return false;
    return true;
}

const pli_generator pli_generator_row_closed_volume = {
    .name = "closed_volume",
    .label = PLI_TEXT("Closed volumes"),
    .summary = PLI_TEXT("Each closed component gives all of its vertices."),
    .source = PLI_TEXT("Mueller et al. 2006, Position Based Dynamics, section 4.4"),
    .generate = closed_volume_generate,
    .survives_cut = closed_volume_holds,
    .cut_warning = "was cut open and has lost its pressure",
};
