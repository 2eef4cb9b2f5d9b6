// Writes OBJ as text with nine digits, which restore floats exactly: colours after positions, texture coordinates of render vertices,
// and groups, materials and objects where they change.
#include "formats/mesh_write.h"

#include <stdlib.h>

// Groups of faces, face by face.
typedef struct membership {
    int32_t *starts; // [face_count + 1] into `groups`.
    int32_t *groups;
    int32_t *materials, *objects;
} membership;

static bool find_membership(const pli_mesh_writing *w, membership *m)
{
    const pli_mesh_attributes *a = w->attributes;
    int32_t faces = w->topology->face_count;
    m->materials = pli_writing_face_groups(w, PLI_GROUP_MATERIAL);
    m->objects = pli_writing_face_groups(w, PLI_GROUP_OBJECT);
    m->starts = calloc((size_t)faces + 2, sizeof *m->starts);
    if (!m->materials || !m->objects || !m->starts)
        return false;
    for (int32_t i = 0; a && i < a->group_count; i++)
        for (int32_t k = 0; a->groups[i].kind == PLI_GROUP_FACES && k < a->groups[i].count; k++)
            m->starts[a->groups[i].elements[k] + 2]++;
    for (int32_t f = 0; f < faces; f++)
        m->starts[f + 2] += m->starts[f + 1];
    m->groups = malloc(((size_t)m->starts[faces + 1] + 1) * sizeof *m->groups);
    if (!m->groups)
        return false;
    for (int32_t i = 0; a && i < a->group_count; i++)
        for (int32_t k = 0; a->groups[i].kind == PLI_GROUP_FACES && k < a->groups[i].count; k++)
            m->groups[m->starts[a->groups[i].elements[k] + 1]++] = i;
    return true;
}

static void release(membership *m)
{
    free(m->starts);
    free(m->groups);
    free(m->materials);
    free(m->objects);
}

static bool same_groups(const membership *m, int32_t f)
{
    int32_t count = m->starts[f + 1] - m->starts[f];
    if (f == 0)
        return count == 0;
    if (m->starts[f] - m->starts[f - 1] != count)
        return false;
    for (int32_t i = 0; i < count; i++)
        if (m->groups[m->starts[f] + i] != m->groups[m->starts[f - 1] + i])
            return false;
    return true;
}

static void put_group(FILE *stream, const pli_mesh_writing *w, const char *word, const int32_t *groups, int32_t f)
{
    if (groups[f] == (f == 0 ? -1 : groups[f - 1]))
        return;
    fputs(word, stream);
    if (groups[f] >= 0) {
        fputc(' ', stream);
        pli_writing_put_name(stream, w->attributes->groups[groups[f]].name, true);
    }
    fputc('\n', stream);
}

static void put_groups(FILE *stream, const pli_mesh_writing *w, const membership *m, int32_t f)
{
    put_group(stream, w, "o", m->objects, f);
    if (!same_groups(m, f)) {
        fputc('g', stream);
        for (int32_t i = m->starts[f]; i < m->starts[f + 1]; i++) {
            fputc(' ', stream);
            pli_writing_put_name(stream, w->attributes->groups[m->groups[i]].name, false);
        }
        fputc('\n', stream);
    }
    put_group(stream, w, "usemtl", m->materials, f);
}

static void put_corner(FILE *stream, const pli_mesh_writing *w, const pli_mesh_attribute *uv, int32_t c)
{
    int32_t vertex = w->topology->face_vertices[c] + 1;
    fprintf(stream, " %d", (int)vertex);
    if (uv)
        fprintf(stream, "/%d", (int)w->attributes->corners[c] + 1);
    if (w->normals.count > 0)
        fprintf(stream, uv ? "/%d" : "//%d", (int)vertex);
}

static bool put_vertices(FILE *stream, const pli_mesh_writing *w, const pli_mesh_attribute *uv)
{
    const pli_mesh_attribute *colour = pli_writing_attribute(w, PLI_ATTRIBUTE_COLOUR, PLI_ATTRIBUTE_VERTEX, 3);
    int32_t *firsts = pli_writing_firsts(w);
    if (!firsts)
        return false;
    for (int32_t v = 0; v < w->positions.count; v++) {
        const float *p = pli_view_at(w->positions, v);
        fprintf(stream, "v %.9g %.9g %.9g", (double)p[0], (double)p[1], (double)p[2]);
        const float *c = colour && firsts[v] >= 0 ? colour->values + (size_t)firsts[v] * (size_t)colour->width : NULL;
        if (c)
            fprintf(stream, " %.9g %.9g %.9g", (double)c[0], (double)c[1], (double)c[2]);
        fputc('\n', stream);
    }
    free(firsts);
    for (int32_t i = 0; uv && i < w->attributes->vertex_count; i++) {
        const float *t = uv->values + (size_t)i * (size_t)uv->width;
        fprintf(stream, "vt %.9g %.9g\n", (double)t[0], (double)t[1]);
    }
    for (int32_t v = 0; v < w->normals.count; v++) {
        const float *n = pli_view_at(w->normals, v);
        fprintf(stream, "vn %.9g %.9g %.9g\n", (double)n[0], (double)n[1], (double)n[2]);
    }
    return true;
}

bool pli_write_obj(FILE *stream, const pli_mesh_writing *w)
{
    const pli_topology *t = w->topology;
    const pli_mesh_attribute *uv = pli_writing_attribute(w, PLI_ATTRIBUTE_UV, PLI_ATTRIBUTE_VERTEX, 2);
    membership m = {0};
    fprintf(stream, "# Pliant %s\n", pli_version());
    bool fine = put_vertices(stream, w, uv) && find_membership(w, &m);
    for (int32_t f = 0; fine && f < t->face_count; f++) {
        put_groups(stream, w, &m, f);
        fputc('f', stream);
        for (int32_t c = t->face_offsets[f]; c < t->face_offsets[f + 1]; c++)
            put_corner(stream, w, uv, c);
        fputc('\n', stream);
    }
    release(&m);
    return fine;
}
