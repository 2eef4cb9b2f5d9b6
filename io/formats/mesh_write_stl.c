// Writes binary STL: triangles with their normals and nothing else.
#include "formats/mesh_write.h"

#include "files/bytes.h"
#include <pliant/math.h>

#include <math.h>

enum { HEADER = 80 };

static pli_vec3 point(const pli_mesh_writing *w, int32_t vertex)
{
    const float *p = pli_view_at(w->positions, vertex);
    return (pli_vec3){p[0], p[1], p[2]};
}

static void put_vector(FILE *stream, pli_vec3 v)
{
    pli_put_float_little(stream, v.x);
    pli_put_float_little(stream, v.y);
    pli_put_float_little(stream, v.z);
}

bool pli_write_stl(FILE *stream, const pli_mesh_writing *w)
{
    char header[HEADER + 1];
    snprintf(header, sizeof header, "%-80.40s", "Pliant " PLI_VERSION_STRING);
    fwrite(header, 1, HEADER, stream);
    pli_put_int_little(stream, w->topology->triangle_count);
    for (int32_t t = 0; t < w->topology->triangle_count; t++) {
        const int32_t *corners = w->topology->triangles + 3 * t;
        pli_vec3 a = point(w, corners[0]), b = point(w, corners[1]), c = point(w, corners[2]);
        pli_vec3 n = pli_cross(pli_sub(b, a), pli_sub(c, a));
        float length = sqrtf(pli_dot(n, n));
        put_vector(stream, length > 0.0f ? pli_scale(n, 1.0f / length) : (pli_vec3){0, 0, 0});
        put_vector(stream, a);
        put_vector(stream, b);
        put_vector(stream, c);
        fputc(0, stream);
        fputc(0, stream);
    }
    return true;
}
