// The convex hull of a mesh's vertices, which collides as the surface of its faces.
#include "mesh/primitives/hull.h"
#include "shapes/vertices.h"

static const char *hull_complaint(const pli_collider_def *def)
{
    return def->mesh ? NULL : "its mesh, whose vertices it is the hull of, is missing";
}

static pli_status hull_tessellate(const pli_collider_def *def, int32_t resolution, const pli_hooks *hooks,
                                  pli_mesh **mesh, pli_error *error)
{
    const pli_topology *points = pli_mesh_topology(def->mesh);
    (void)resolution;
    return pli_mesh_create_hull_with(hooks, points->positions, points->vertex_count, mesh, error);
}

const pli_shape_row PLI_NAMED(pli_shape_hull) = {
    .shape = PLI_SHAPE_HULL,
    .complaint = hull_complaint,
    .reach = pli_vertices_reach,
    .support = pli_vertices_support,
    .tessellate = hull_tessellate,
};
