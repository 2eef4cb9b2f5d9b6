// Growing lists of vertices and faces, and the mesh made of them.
#include "mesh/primitives/mesh_list.h"

pli_mesh_list pli_mesh_list_start(const pli_hooks *hooks) { return (pli_mesh_list){.memory = pli_memory_make(hooks)}; }

int32_t pli_mesh_list_vertex(pli_mesh_list *list, double x, double y, double z)
{
    if (list->out_of_memory || !pli_reserve(&list->memory, &list->positions, &list->position_capacity,
                                            3 * ((int64_t)list->vertex_count + 1), sizeof(float))) {
        list->out_of_memory = true;
        return 0;
    }
    float *p = list->positions + 3 * (size_t)list->vertex_count;
    p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
    return list->vertex_count++;
}

static void add_list_face(pli_mesh_list *list, const int32_t *vertices, int32_t count)
{
    if (list->out_of_memory ||
        !pli_reserve(&list->memory, &list->sizes, &list->size_capacity, (int64_t)list->face_count + 1,
                     sizeof(int32_t)) ||
        !pli_reserve(&list->memory, &list->indices, &list->index_capacity, (int64_t)list->index_count + count,
                     sizeof(int32_t))) {
        list->out_of_memory = true;
        return;
    }
    list->sizes[list->face_count++] = count;
    for (int32_t i = 0; i < count; i++)
        list->indices[list->index_count++] = vertices[i];
}

void pli_mesh_list_triangle(pli_mesh_list *list, int32_t a, int32_t b, int32_t c)
{
    add_list_face(list, (const int32_t[]){a, b, c}, 3);
}

void pli_mesh_list_quad(pli_mesh_list *list, int32_t a, int32_t b, int32_t c, int32_t d)
{
    add_list_face(list, (const int32_t[]){a, b, c, d}, 4);
}

void pli_mesh_list_square(pli_mesh_list *list, pli_grid_pattern pattern, const int32_t square[4], int32_t parity,
                          int32_t centre)
{
    const int32_t a = square[0], b = square[1], c = square[2], d = square[3];
    if (pattern == PLI_GRID_QUADS) {
        pli_mesh_list_quad(list, a, b, c, d);
    } else if (pattern == PLI_GRID_CROSSED) {
        for (int i = 0; i < 4; i++)
            pli_mesh_list_triangle(list, square[i], square[(i + 1) % 4], centre);
    } else if (pattern == PLI_GRID_ALTERNATING && parity % 2 == 1) {
        pli_mesh_list_triangle(list, a, b, d);
        pli_mesh_list_triangle(list, b, c, d);
    } else {
        pli_mesh_list_triangle(list, a, b, c);
        pli_mesh_list_triangle(list, a, c, d);
    }
}

pli_status pli_mesh_list_finish(pli_mesh_list *list, pli_mesh **mesh, pli_error *error)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = list->positions;
    def.vertex_count = list->vertex_count;
    def.face_sizes = list->sizes;
    def.face_vertices = list->indices;
    def.face_count = list->face_count;
    def.hooks = list->memory.hooks;
    pli_status status = list->out_of_memory ? pli_fail_memory(error) : pli_mesh_create(&def, mesh, error);
    pli_release(&list->memory, list->positions);
    pli_release(&list->memory, list->sizes);
    pli_release(&list->memory, list->indices);
    return status;
}
