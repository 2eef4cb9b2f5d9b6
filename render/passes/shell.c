// Two strips along each edge of the border: from the upper side to the middle, which protrudes by half the thickness, and on to the
// lower side.
#include "passes/shell.h"

#include "gl/mat4.h"

#include <stdlib.h>

enum { STRIP_VERTICES = 12, STRIP_TRIANGLES = 4 };

// A vertex of the border with its normal, and where the surface ends there.
typedef struct border_point {
    pli_vec3 at, normal, out;
} border_point;

static border_point point_of(const pli_geometry *upper, const pli_topology *t, float thickness, const int32_t around[3])
{
    // Split geometry has the mesh's own vertices at its end.
    const pli_vertex *own = upper->staging + (upper->split ? 3 * (size_t)t->triangle_count : 0);
    const float *p = own[around[1]].position, *n = own[around[1]].normal;
    const float *before = own[around[0]].position, *after = own[around[2]].position;
    const pli_vec3 along = {after[0] - before[0], after[1] - before[1], after[2] - before[2]};
    const pli_vec3 normal = {n[0], n[1], n[2]};
    return (border_point){pli_sub((pli_vec3){p[0], p[1], p[2]}, pli_scale(normal, 0.5f * thickness)), normal,
                          vec_unit(pli_cross(along, normal))};
}

// A point of the half round: 0 on the upper side, 1 in the middle, 2 on the lower side.
static pli_vertex vertex_of(const border_point *b, int32_t place, float thickness)
{
    const pli_vec3 normal = place == 1 ? b->out : pli_scale(b->normal, place == 0 ? 1.0f : -1.0f);
    const pli_vec3 at = pli_add(b->at, pli_scale(normal, 0.5f * thickness));
    return (pli_vertex){.position = {at.x, at.y, at.z}, .normal = {normal.x, normal.y, normal.z}};
}

static void put_strip(pli_vertex *to, const border_point *a, const border_point *b, float thickness)
{
    static const struct {
        int end, place;
    } corners[STRIP_VERTICES] = {{0, 0}, {0, 1}, {1, 0}, {1, 0}, {0, 1}, {1, 1},
                                 {0, 1}, {0, 2}, {1, 1}, {1, 1}, {0, 2}, {1, 2}};
    for (int k = 0; k < STRIP_VERTICES; k++)
        to[k] = vertex_of(corners[k].end ? b : a, corners[k].place, thickness);
}

// The face at an edge of the border, by the order of edges.
static int32_t face_at(const pli_topology *t, int32_t a, int32_t b)
{
    const int32_t first = a < b ? a : b, second = a < b ? b : a;
    int32_t low = 0, high = t->edge_count - 1;
    while (low < high) {
        const int32_t middle = (low + high) / 2, *edge = t->edges + 2 * (size_t)middle;
        if (edge[0] < first || (edge[0] == first && edge[1] < second))
            low = middle + 1;
        else
            high = middle;
    }
    return t->edge_faces[2 * (size_t)low];
}

static void put_colours(float *to, const float *colour)
{
    for (int k = 0; k < 8 * STRIP_TRIANGLES; k++)
        to[k] = k % 4 < 3 ? colour[k % 4] : 0.0f;
}

bool pli_shell_rim(pli_geometry *rim, const pli_render_mesh *mesh, const pli_geometry *upper, float thickness)
{
    const pli_topology *t = pli_mesh_topology(mesh->mesh);
    const int32_t count = t->boundary_offsets[t->boundary_loop_count];
    if (count == 0)
        return true;
    pli_vertex *vertices = calloc((size_t)count, STRIP_VERTICES * sizeof *vertices);
    float *colours = calloc((size_t)count, 8 * STRIP_TRIANGLES * sizeof *colours);
    bool made = vertices && colours;
    for (int32_t loop = 0; made && loop < t->boundary_loop_count; loop++) {
        const int32_t *v = t->boundary_vertices + t->boundary_offsets[loop];
        const int32_t length = t->boundary_offsets[loop + 1] - t->boundary_offsets[loop];
        for (int32_t i = 0; i < length; i++) {
            const int32_t before = v[(i + length - 1) % length], next = v[(i + 1) % length];
            const size_t edge = (size_t)t->boundary_offsets[loop] + (size_t)i;
            const border_point a = point_of(upper, t, thickness, (int32_t[3]){before, v[i], next});
            const border_point b = point_of(upper, t, thickness, (int32_t[3]){v[i], next, v[(i + 2) % length]});
            put_strip(vertices + STRIP_VERTICES * edge, &a, &b, thickness);
            if (mesh->face_colours)
                put_colours(colours + 8 * STRIP_TRIANGLES * edge,
                            mesh->face_colours + 3 * (size_t)face_at(t, v[i], next));
        }
    }
    made = made && pli_geometry_plain(rim, vertices, STRIP_VERTICES * count);
    if (made && mesh->face_colours)
        pli_geometry_colour(rim, colours, STRIP_TRIANGLES * count);
    free(vertices);
    free(colours);
    return made;
}
