// Writes PLY as little-endian binary: colours and numbers of vertices and faces, and texture coordinates of vertices, or of face
// corners if a vertex at a seam has several.
#include "formats/mesh_write.h"

#include "files/bytes.h"

#include <stdlib.h>
#include <string.h>

enum { COLOUR_LEVELS = 255 };

// The storage of the parts of a file.
typedef struct plan {
    const pli_mesh_writing *w;
    int32_t *firsts;                           // The render vertex that represents each vertex, or -1.
    const pli_mesh_attribute *uv, *colours[2]; // The colours by domain.
    bool corner_uv, bytes[2];                  // Whether colours can be stored as bytes without loss, by domain.
} plan;

static const float *value_of(const plan *p, const pli_mesh_attribute *attribute, int32_t element)
{
    static const float none[4] = {0};
    int32_t i = attribute->domain == PLI_ATTRIBUTE_FACE ? element : p->firsts[element];
    return i >= 0 ? attribute->values + (size_t)i * (size_t)attribute->width : none;
}

// Whether an attribute becomes a property of its own name, which must not have a predefined meaning.
static bool is_single(const pli_mesh_attribute *attribute, pli_attribute_domain domain)
{
    static const char taken[] = " x y z nx ny nz red green blue alpha s t u v texture_u texture_v ";
    char word[16];
    snprintf(word, sizeof word, " %.12s ", attribute->name);
    return attribute->domain == domain && attribute->width == 1 && !strstr(taken, word);
}

// Whether any vertex has render vertices with different texture coordinates.
static bool has_seams(const plan *p)
{
    const pli_mesh_attributes *a = p->w->attributes;
    for (int32_t i = 0; p->uv && i < a->vertex_count; i++)
        if (memcmp(p->uv->values + (size_t)i * (size_t)p->uv->width, value_of(p, p->uv, a->vertex_map[i]),
                   2 * sizeof(float)) != 0)
            return true;
    return false;
}

static bool fits_bytes(const pli_mesh_attribute *colour, int32_t count)
{
    for (int32_t i = 0; i < count * colour->width; i++) {
        float value = colour->values[i];
        if (!(value >= 0.0f && value <= 1.0f))
            return false;
        int level = (int)(value * COLOUR_LEVELS + 0.5f);
        if ((float)(level / (double)COLOUR_LEVELS) != value)
            return false;
    }
    return true;
}

static bool make_plan(plan *p)
{
    const pli_mesh_writing *w = p->w;
    p->firsts = pli_writing_firsts(w);
    if (!p->firsts)
        return false;
    p->uv = pli_writing_attribute(w, PLI_ATTRIBUTE_UV, PLI_ATTRIBUTE_VERTEX, 2);
    p->corner_uv = has_seams(p);
    const pli_attribute_domain domains[2] = {PLI_ATTRIBUTE_VERTEX, PLI_ATTRIBUTE_FACE};
    for (int i = 0; i < 2; i++) {
        p->colours[i] = pli_writing_attribute(w, PLI_ATTRIBUTE_COLOUR, domains[i], 3);
        p->bytes[i] = p->colours[i] &&
                      fits_bytes(p->colours[i], i == 0 ? w->attributes->vertex_count : w->topology->face_count);
    }
    return true;
}

static void declare(FILE *stream, const plan *p, pli_attribute_domain domain)
{
    static const char *const channels[4] = {"red", "green", "blue", "alpha"};
    const pli_mesh_attributes *a = p->w->attributes;
    const pli_mesh_attribute *colour = p->colours[domain];
    for (int32_t k = 0; colour && k < colour->width; k++)
        fprintf(stream, "property %s %s\n", p->bytes[domain] ? "uchar" : "float", channels[k]);
    for (int32_t i = 0; a && i < a->attribute_count; i++) {
        if (!is_single(&a->attributes[i], domain))
            continue;
        fputs("property float ", stream);
        pli_writing_put_name(stream, a->attributes[i].name, false);
        fputc('\n', stream);
    }
}

static void put_attributes(FILE *stream, const plan *p, pli_attribute_domain domain, int32_t element)
{
    const pli_mesh_attributes *a = p->w->attributes;
    const pli_mesh_attribute *colour = p->colours[domain];
    for (int32_t k = 0; colour && k < colour->width; k++) {
        float value = value_of(p, colour, element)[k];
        if (p->bytes[domain])
            fputc((int)(value * COLOUR_LEVELS + 0.5f), stream);
        else
            pli_put_float_little(stream, value);
    }
    for (int32_t i = 0; a && i < a->attribute_count; i++)
        if (is_single(&a->attributes[i], domain))
            pli_put_float_little(stream, value_of(p, &a->attributes[i], element)[0]);
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

static void put_header(FILE *stream, const plan *p, bool wide)
{
    const pli_mesh_writing *w = p->w;
    fprintf(stream, "ply\nformat binary_little_endian 1.0\ncomment Pliant %s\nelement vertex %d\n", pli_version(),
            (int)w->positions.count);
    fputs("property float x\nproperty float y\nproperty float z\n", stream);
    if (w->normals.count > 0)
        fputs("property float nx\nproperty float ny\nproperty float nz\n", stream);
    if (p->uv && !p->corner_uv)
        fputs("property float s\nproperty float t\n", stream);
    declare(stream, p, PLI_ATTRIBUTE_VERTEX);
    const char *count = wide ? "int" : "uchar";
    fprintf(stream, "element face %d\nproperty list %s int vertex_indices\n", (int)w->topology->face_count, count);
    if (p->corner_uv)
        fprintf(stream, "property list %s float texcoord\n", count);
    declare(stream, p, PLI_ATTRIBUTE_FACE);
    fputs("end_header\n", stream);
}

static void put_count(FILE *stream, int32_t count, bool wide)
{
    if (wide)
        pli_put_int_little(stream, count);
    else
        fputc(count, stream);
}

static void put_face(FILE *stream, const plan *p, int32_t f, bool wide)
{
    const pli_topology *t = p->w->topology;
    int32_t begin = t->face_offsets[f], end = t->face_offsets[f + 1];
    put_count(stream, end - begin, wide);
    for (int32_t c = begin; c < end; c++)
        pli_put_int_little(stream, t->face_vertices[c]);
    if (p->corner_uv) {
        put_count(stream, 2 * (end - begin), wide);
        for (int32_t c = begin; c < end; c++)
            for (int32_t k = 0; k < 2; k++)
                pli_put_float_little(stream, p->uv->values[p->w->attributes->corners[c] * (int64_t)p->uv->width + k]);
    }
    put_attributes(stream, p, PLI_ATTRIBUTE_FACE, f);
}

bool pli_write_ply(FILE *stream, const pli_mesh_writing *w)
{
    plan p = {.w = w};
    if (!make_plan(&p))
        return false;
    bool wide = largest_face(w->topology) > (p.corner_uv ? 127 : 255);
    put_header(stream, &p, wide);
    for (int32_t v = 0; v < w->positions.count; v++) {
        for (int32_t k = 0; k < 3; k++)
            pli_put_float_little(stream, pli_view_at(w->positions, v)[k]);
        for (int32_t k = 0; k < 3 && w->normals.count > 0; k++)
            pli_put_float_little(stream, pli_view_at(w->normals, v)[k]);
        for (int32_t k = 0; k < 2 && p.uv && !p.corner_uv; k++)
            pli_put_float_little(stream, value_of(&p, p.uv, v)[k]);
        put_attributes(stream, &p, PLI_ATTRIBUTE_VERTEX, v);
    }
    for (int32_t f = 0; f < w->topology->face_count; f++)
        put_face(stream, &p, f, wide);
    free(p.firsts);
    return true;
}
