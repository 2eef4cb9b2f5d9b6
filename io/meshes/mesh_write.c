// Writes OBJ as text with nine digits, which restore floats exactly, and PLY as little-endian binary.
#include "meshes/mesh_write.h"

#include "files/bytes.h"

void pli_write_obj(FILE *stream, const pli_topology *topology, pli_view positions, pli_view normals)
{
    fprintf(stream, "# Pliant %s\n", pli_version());
    for (int32_t v = 0; v < positions.count; v++) {
        const float *p = pli_view_at(positions, v);
        fprintf(stream, "v %.9g %.9g %.9g\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    for (int32_t v = 0; v < normals.count; v++) {
        const float *n = pli_view_at(normals, v);
        fprintf(stream, "vn %.9g %.9g %.9g\n", (double)n[0], (double)n[1], (double)n[2]);
    }
    for (int32_t f = 0; f < topology->face_count; f++) {
        fputc('f', stream);
        for (int32_t c = topology->face_offsets[f]; c < topology->face_offsets[f + 1]; c++) {
            int32_t vertex = topology->face_vertices[c] + 1;
            if (normals.count > 0)
                fprintf(stream, " %d//%d", (int)vertex, (int)vertex);
            else
                fprintf(stream, " %d", (int)vertex);
        }
        fputc('\n', stream);
    }
}

static int32_t largest_face(const pli_topology *topology)
{
    int32_t largest = 0;
    for (int32_t f = 0; f < topology->face_count; f++) {
        int32_t size = topology->face_offsets[f + 1] - topology->face_offsets[f];
        largest = size > largest ? size : largest;
    }
    return largest;
}

void pli_write_ply(FILE *stream, const pli_topology *topology, pli_view positions, pli_view normals)
{
    bool wide = largest_face(topology) > 255;
    fprintf(stream, "ply\nformat binary_little_endian 1.0\ncomment Pliant %s\nelement vertex %d\n", pli_version(),
            (int)positions.count);
    fputs("property float x\nproperty float y\nproperty float z\n", stream);
    if (normals.count > 0)
        fputs("property float nx\nproperty float ny\nproperty float nz\n", stream);
    fprintf(stream, "element face %d\nproperty list %s int vertex_indices\nend_header\n", (int)topology->face_count,
            wide ? "int" : "uchar");
    for (int32_t v = 0; v < positions.count; v++) {
        for (int32_t k = 0; k < 3; k++)
            pli_put_float_little(stream, pli_view_at(positions, v)[k]);
        for (int32_t k = 0; k < 3 && normals.count > 0; k++)
            pli_put_float_little(stream, pli_view_at(normals, v)[k]);
    }
    for (int32_t f = 0; f < topology->face_count; f++) {
        int32_t begin = topology->face_offsets[f], size = topology->face_offsets[f + 1] - begin;
        if (wide)
            pli_put_int_little(stream, size);
        else
            fputc(size, stream);
        for (int32_t c = 0; c < size; c++)
            pli_put_int_little(stream, topology->face_vertices[begin + c]);
    }
}
