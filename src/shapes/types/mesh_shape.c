// The triangles of a mesh, which may deform: a two-sided sheet when it is open, solid when it is closed.
#include "mesh/mesh.h"
#include "shapes/vertices.h"

static const char *mesh_complaint(const pli_collider_def *def)
{
    if (!def->mesh)
        return "its mesh is missing";
    return pli_mesh_topology(def->mesh)->triangle_count > 0 ? NULL : "its mesh has no faces";
}

static pli_status mesh_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                  pli_mesh **mesh, pli_error *error)
{
    (void)resolution, (void)hooks;
    pli_mesh_retain(def->mesh);
    *mesh = (pli_mesh *)def->mesh;
    return pli_succeed(error);
}

const pli_shape_row PLI_NAMED(pli_shape_mesh) = {
    .shape = PLI_SHAPE_MESH,
    .complaint = mesh_complaint,
    .reach = pli_vertices_reach,
    .support = pli_vertices_support,
    .tessellate = mesh_tessellate,
};
