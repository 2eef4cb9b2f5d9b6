// Growing lists of vertices and faces.
#include "mesh/polygons.h"

pli_polygons pli_polygons_start(void)
{
    return (pli_polygons){.memory = pli_memory_make(NULL)};
}

int32_t pli_polygons_vertex(pli_polygons *polygons, double x, double y, double z)
{
    if (polygons->out_of_memory ||
        !pli_reserve(&polygons->memory, &polygons->positions, &polygons->position_capacity,
                     3 * ((int64_t)polygons->vertex_count + 1), sizeof(float))) {
        polygons->out_of_memory = true;
        return 0;
    }
    float *p = polygons->positions + 3 * (size_t)polygons->vertex_count;
    p[0] = (float)x, p[1] = (float)y, p[2] = (float)z;
    return polygons->vertex_count++;
}

static void add_face(pli_polygons *polygons, const int32_t *vertices, int32_t count)
{
    if (polygons->out_of_memory ||
        !pli_reserve(&polygons->memory, &polygons->sizes, &polygons->size_capacity, (int64_t)polygons->face_count + 1,
                     sizeof(int32_t)) ||
        !pli_reserve(&polygons->memory, &polygons->indices, &polygons->index_capacity,
                     (int64_t)polygons->index_count + count, sizeof(int32_t))) {
        polygons->out_of_memory = true;
        return;
    }
    polygons->sizes[polygons->face_count++] = count;
    for (int32_t i = 0; i < count; i++)
        polygons->indices[polygons->index_count++] = vertices[i];
}

void pli_polygons_triangle(pli_polygons *polygons, int32_t a, int32_t b, int32_t c)
{
    add_face(polygons, (const int32_t[]){a, b, c}, 3);
}

void pli_polygons_quad(pli_polygons *polygons, int32_t a, int32_t b, int32_t c, int32_t d)
{
    add_face(polygons, (const int32_t[]){a, b, c, d}, 4);
}

void pli_polygons_square(pli_polygons *polygons, pli_grid_pattern pattern, const int32_t square[4], int32_t parity,
                         int32_t centre)
{
    const int32_t a = square[0], b = square[1], c = square[2], d = square[3];
    if (pattern == PLI_GRID_QUADS) {
        pli_polygons_quad(polygons, a, b, c, d);
    } else if (pattern == PLI_GRID_CROSSED) {
        for (int i = 0; i < 4; i++)
            pli_polygons_triangle(polygons, square[i], square[(i + 1) % 4], centre);
    } else if (pattern == PLI_GRID_ALTERNATING && parity % 2 == 1) {
        pli_polygons_triangle(polygons, a, b, d);
        pli_polygons_triangle(polygons, b, c, d);
    } else {
        pli_polygons_triangle(polygons, a, b, c);
        pli_polygons_triangle(polygons, a, c, d);
    }
}

pli_status pli_polygons_finish(pli_polygons *polygons, pli_mesh **mesh, pli_error *error)
{
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = polygons->positions;
    def.vertex_count = polygons->vertex_count;
    def.face_sizes = polygons->sizes;
    def.face_vertices = polygons->indices;
    def.face_count = polygons->face_count;
    pli_status status = polygons->out_of_memory ? pli_fail_memory(error) : pli_mesh_create(&def, mesh, error);
    pli_release(&polygons->memory, polygons->positions);
    pli_release(&polygons->memory, polygons->sizes);
    pli_release(&polygons->memory, polygons->indices);
    return status;
}
