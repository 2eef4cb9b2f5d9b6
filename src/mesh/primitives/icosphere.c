// Spheres: an icosahedron whose triangles are split in four repeatedly and projected onto the sphere.
//
//          a                 a
//         / \               / \.
//        /   \     ->      o---o
//       /     \           / \ / \.
//      b ----- c         b---o---c
#include "mesh/draft.h"
#include "mesh/primitives/mesh_list.h"

// Twelve vertices on three golden rectangles.
static void start_icosahedron(pli_mesh_list *list)
{
    static const int32_t faces[20][3] = {
        {0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
        {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
        {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1},
    };
    const double golden = (1 + sqrt(5)) / 2;
    for (int plane = 0; plane < 3; plane++)
        for (int corner = 0; corner < 4; corner++) {
            double p[3] = {0, 0, 0};
            p[plane] = corner % 2 ? 1 : -1;
            p[(plane + 1) % 3] = corner < 2 ? golden : -golden;
            pli_mesh_list_vertex(list, p[0], p[1], p[2]);
        }
    for (int face = 0; face < 20; face++)
        pli_mesh_list_triangle(list, faces[face][0], faces[face][1], faces[face][2]);
}

static void push_onto_sphere(pli_mesh_list *list, double radius)
{
    for (int32_t i = 0; i < list->vertex_count; i++) {
        float *p = list->positions + 3 * (size_t)i;
        const double x = (double)p[0], y = (double)p[1], z = (double)p[2];
        const double scale = radius / sqrt(x * x + y * y + z * z);
        p[0] = (float)(x * scale), p[1] = (float)(y * scale), p[2] = (float)(z * scale);
    }
}

// Writes for each corner the middle of the edge that leaves it.
static void add_middles(pli_mesh_list *list, const pli_draft *draft, int32_t *middle_at)
{
    for (int32_t edge = 0; edge < draft->edge_count; edge++) {
        const float *a = list->positions + 3 * (size_t)draft->edges[2 * edge];
        const float *b = list->positions + 3 * (size_t)draft->edges[2 * edge + 1];
        for (int k = 0; k < 2; k++) // The surface is closed.
            middle_at[draft->edge_corners[2 * edge + k]] = draft->vertex_count + edge;
        pli_mesh_list_vertex(list, ((double)a[0] + (double)b[0]) / 2, ((double)a[1] + (double)b[1]) / 2,
                             ((double)a[2] + (double)b[2]) / 2);
    }
}

// Vertices keep their numbers; the midpoints of the edges follow in the order of the edges.
static void subdivide(pli_mesh_list *list)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = list->positions;
    def.vertex_count = list->vertex_count;
    def.face_vertices = list->indices;
    def.face_count = list->face_count;
    pli_draft draft;
    int32_t *middle_at = PLI_ALLOCATE_UNSET(&list->memory, int32_t, 3 * (size_t)list->face_count);
    bool done = pli_draft_borrow(&draft, &list->memory, &def) && pli_draft_own(&draft) && pli_draft_edges(&draft) &&
                middle_at;
    list->out_of_memory = list->out_of_memory || !done;
    if (done) {
        add_middles(list, &draft, middle_at);
        list->face_count = list->index_count = 0;
        for (int32_t face = 0; face < draft.face_count; face++) {
            const int32_t *v = draft.face_vertices + 3 * (size_t)face, *m = middle_at + 3 * (size_t)face;
            for (int i = 0; i < 3; i++)
                pli_mesh_list_triangle(list, v[i], m[i], m[(i + 2) % 3]);
            pli_mesh_list_triangle(list, m[0], m[1], m[2]);
        }
    }
    pli_release(&list->memory, middle_at);
    pli_draft_release(&draft);
}

pli_status pli_mesh_create_sphere_with(const pli_hooks *hooks, int32_t subdivisions, float radius, pli_mesh **mesh,
                                       pli_error *error)
{
    if (subdivisions < 0 || subdivisions > 9)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "sphere: %d subdivisions; give 0 to 9", (int)subdivisions);
    if (!pli_is_length(radius))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "sphere: radius %g [m] must be positive", (double)radius);
    pli_mesh_list list = pli_mesh_list_start(hooks);
    start_icosahedron(&list);
    for (int32_t i = 0; i < subdivisions && !list.out_of_memory; i++) {
        push_onto_sphere(&list, 1);
        subdivide(&list);
    }
    push_onto_sphere(&list, (double)radius);
    return pli_mesh_list_finish(&list, mesh, error);
}
