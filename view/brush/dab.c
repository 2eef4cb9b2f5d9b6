// A dab spreads from each vertex to its neighbours.
#include "brush/dab.h"

#include <math.h>
#include <stdlib.h>

// (1 - (d / r)^2)^2 at the distance d from the point.
static float weight_at(const float *p, pli_vec3 point, float radius)
{
    const float x = p[0] - point.x, y = p[1] - point.y, z = p[2] - point.z;
    const float left = 1.0f - (x * x + y * y + z * z) / (radius * radius);
    return left > 0.0f ? left * left : 0.0f;
}

float *pli_view_dab_make(pli_world *world, pli_deformable deformable, int32_t vertex, pli_vec3 point, float radius,
                         int32_t *count)
{
    const pli_mesh *mesh;
    if (pli_deformable_get_mesh(world, deformable, &mesh, NULL) != PLI_STATUS_OK)
        return NULL;
    const pli_topology *t = pli_mesh_topology(mesh);
    const pli_view places = pli_deformable_positions(world, deformable);
    float *weights = calloc((size_t)t->vertex_count + 1, sizeof *weights);
    int32_t *reached = malloc(((size_t)t->vertex_count + 1) * sizeof *reached), last = 0;
    *count = t->vertex_count;
    if (weights && reached) {
        // If the mesh is coarser than the brush, the dab affects the vertex itself.
        weights[vertex] = fmaxf(weight_at(pli_view_at(places, vertex), point, radius), 0.1f);
        reached[last++] = vertex;
    }
    for (int32_t i = 0; i < last; i++)
        for (int32_t k = t->ring_offsets[reached[i]]; k < t->ring_offsets[reached[i] + 1]; k++) {
            const int32_t next = t->ring_vertices[k];
            const float weight = weights[next] > 0.0f ? 0.0f : weight_at(pli_view_at(places, next), point, radius);
            if (weight > 0.0f) {
                weights[next] = weight;
                reached[last++] = next;
            }
        }
    if (!reached) {
        free(weights);
        weights = NULL;
    }
    free(reached);
    return weights;
}
