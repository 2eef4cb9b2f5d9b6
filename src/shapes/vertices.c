// Extremes of the vertices of a mesh: the largest distance from the origin, and the farthest vertex along a direction.
#include "shapes/vertices.h"

static pli_vec3 vertex(const pli_topology *mesh, int32_t i)
{
    const float *p = mesh->positions + 3 * (size_t)i;
    return (pli_vec3){p[0], p[1], p[2]};
}

float pli_vertices_reach(const pli_collider_def *def)
{
    const pli_topology *mesh = pli_mesh_topology(def->mesh);
    float most = 0.0f;
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        most = fmaxf(most, pli_length(vertex(mesh, i)));
    return most;
}

pli_vec3 pli_vertices_support(const pli_collider_def *def, pli_vec3 direction)
{
    const pli_topology *mesh = pli_mesh_topology(def->mesh);
    pli_vec3 best = {0.0f, 0.0f, 0.0f};
    for (int32_t i = 0; i < mesh->vertex_count; i++)
        if (i == 0 || pli_dot(direction, vertex(mesh, i)) > pli_dot(direction, best))
            best = vertex(mesh, i);
    return best;
}
