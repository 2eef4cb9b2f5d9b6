// Render vertices are created corner by corner: one for each combination of vertex of the file, particle and values of corner layers
// that occurs.
#define _POSIX_C_SOURCE 200809L
#include "soup/attribute_build.h"

#include <stdlib.h>
#include <string.h>

typedef struct building {
    const pli_polygons *p;
    const pli_topology *t;
    int32_t file_vertex_count;
    const int32_t *file_corners;
    int32_t *soup_faces;   // [face_count] the soup's face of each face of the mesh.
    int32_t *soup_offsets; // [soup face_count + 1]
    int32_t *mesh_faces;   // [soup face_count] the mesh's face of each face of the soup; -1 when it was dropped.
    int32_t *where;        // By vertex: a corner of the current face.
    int32_t *map, *soup_vertices, *soup_corners; // By render vertex: particle, vertex of the file, a corner or -1.
    int32_t vertex_count;
    int32_t *corners; // [corner_count] render vertices by corner.
    int32_t *buckets; // Hash table of additional render vertices of a vertex, counted from 1; 0 is free.
    uint32_t bucket_mask;
} building;

static void *numbers(int64_t count) { return malloc(((size_t)count + 1) * sizeof(int32_t)); }

static int32_t merged(const building *b, int32_t file_vertex)
{
    return b->p->merged ? b->p->merged[file_vertex] : file_vertex;
}

// Records the corners at which the vertices of a face of the soup occur.
static void note_face(building *b, int32_t soup_face)
{
    for (int32_t c = b->soup_offsets[soup_face]; c < b->soup_offsets[soup_face + 1]; c++)
        b->where[b->p->corners[c]] = c;
}

// In the face of the soup recorded last, the corner whose vertex became `vertex` of the mesh; -1 if there is none.
static int32_t corner_with(const building *b, int32_t soup_face, int32_t vertex)
{
    int32_t source = b->t->vertex_source[vertex], c = b->where[source];
    bool here = c >= b->soup_offsets[soup_face] && c < b->soup_offsets[soup_face + 1] && b->p->corners[c] == source;
    return here ? c : -1;
}

static bool same_face(building *b, int32_t mesh_face, int32_t soup_face)
{
    int32_t first = b->t->face_offsets[mesh_face], count = b->t->face_offsets[mesh_face + 1] - first;
    if (b->soup_offsets[soup_face + 1] - b->soup_offsets[soup_face] != count)
        return false;
    note_face(b, soup_face);
    for (int32_t i = 0; i < count; i++)
        if (corner_with(b, soup_face, b->t->face_vertices[first + i]) < 0)
            return false;
    return true;
}

// The repair drops faces, reverses them and splits their vertices, but preserves their order.
static bool match_faces(building *b)
{
    int32_t soup = 0;
    b->soup_offsets[0] = 0;
    for (int32_t i = 0; i < b->p->face_count; i++) {
        b->soup_offsets[i + 1] = b->soup_offsets[i] + (b->p->sizes ? b->p->sizes[i] : 3);
        b->mesh_faces[i] = -1;
    }
    for (int32_t f = 0; f < b->t->face_count; f++, soup++) {
        while (soup < b->p->face_count && !same_face(b, f, soup))
            soup++;
        if (soup == b->p->face_count)
            return false;
        b->soup_faces[f] = soup;
        b->mesh_faces[soup] = f;
    }
    return true;
}

static bool same_values(const building *b, int32_t corner, int32_t other)
{
    for (int32_t i = 0; i < b->p->layers.count; i++) {
        const pli_soup_layer *layer = &b->p->layers.items[i];
        if (layer->domain == PLI_LAYER_CORNER && memcmp(pli_layer_at(layer, 0, corner), pli_layer_at(layer, 0, other),
                                                        (size_t)layer->width * sizeof(float)) != 0)
            return false;
    }
    return true;
}

static uint32_t mix(uint32_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 16777619u;
    return hash;
}

static uint32_t hash_of(const building *b, int32_t file_vertex, int32_t particle, int32_t corner)
{
    uint32_t hash = mix(2166136261u, &file_vertex, sizeof file_vertex);
    hash = mix(hash, &particle, sizeof particle);
    for (int32_t i = 0; i < b->p->layers.count; i++)
        if (b->p->layers.items[i].domain == PLI_LAYER_CORNER)
            hash = mix(hash, pli_layer_at(&b->p->layers.items[i], 0, corner),
                       (size_t)b->p->layers.items[i].width * sizeof(float));
    return hash ^ hash >> 15;
}

static int32_t make_vertex(building *b, int32_t made, int32_t file_vertex, int32_t particle, int32_t corner)
{
    b->map[made] = particle;
    b->soup_vertices[made] = file_vertex;
    b->soup_corners[made] = corner;
    return made;
}

static bool is_vertex(const building *b, int32_t i, int32_t file_vertex, int32_t particle, int32_t corner)
{
    return b->soup_vertices[i] == file_vertex && b->map[i] == particle && same_values(b, b->soup_corners[i], corner);
}

// The render vertex of a corner. The first one of a vertex of the file has the vertex's number, and is usually the only one; others are
// searched in the table.
static int32_t render_vertex(building *b, int32_t file_vertex, int32_t particle, int32_t corner)
{
    if (b->soup_corners[file_vertex] < 0)
        return make_vertex(b, file_vertex, file_vertex, particle, corner);
    if (is_vertex(b, file_vertex, file_vertex, particle, corner))
        return file_vertex;
    uint32_t bucket = hash_of(b, file_vertex, particle, corner) & b->bucket_mask;
    for (; b->buckets[bucket] > 0; bucket = (bucket + 1) & b->bucket_mask)
        if (is_vertex(b, b->buckets[bucket] - 1, file_vertex, particle, corner))
            return b->buckets[bucket] - 1;
    b->buckets[bucket] = b->vertex_count + 1;
    return make_vertex(b, b->vertex_count++, file_vertex, particle, corner);
}

static void make_vertices(building *b)
{
    b->vertex_count = b->file_vertex_count;
    for (int32_t v = 0; v < b->file_vertex_count; v++) {
        b->map[v] = merged(b, v);
        b->soup_vertices[v] = v;
        b->soup_corners[v] = -1;
    }
    for (int32_t f = 0; f < b->t->face_count; f++) {
        note_face(b, b->soup_faces[f]);
        for (int32_t c = b->t->face_offsets[f]; c < b->t->face_offsets[f + 1]; c++) {
            int32_t particle = b->t->face_vertices[c], corner = corner_with(b, b->soup_faces[f], particle);
            b->corners[c] = render_vertex(b, b->file_corners[corner], particle, corner);
        }
    }
}

static int32_t *triangles_of(building *b)
{
    int32_t *triangles = numbers(3 * (int64_t)b->t->triangle_count), face = -1;
    for (int32_t i = 0; triangles && i < 3 * b->t->triangle_count; i++) {
        int32_t other = b->t->triangle_faces[i / 3];
        if (other != face) {
            face = other;
            for (int32_t c = b->t->face_offsets[face]; c < b->t->face_offsets[face + 1]; c++)
                b->where[b->t->face_vertices[c]] = c;
        }
        triangles[i] = b->corners[b->where[b->t->triangles[i]]];
    }
    return triangles;
}

// Values of a layer by render vertex or by face. A corner layer and a vertex layer may have the same name.
static float *values_of(const building *b, const pli_soup_layer *layer)
{
    bool faces = layer->domain == PLI_LAYER_FACE;
    int32_t count = faces ? b->t->face_count : b->vertex_count;
    float *values = calloc((size_t)count * (size_t)layer->width + 1, sizeof *values);
    for (int32_t i = 0; values && i < count; i++) {
        const float *from = faces ? pli_layer_at(layer, b->soup_faces[i], -1)
                                  : pli_layer_at(layer, b->soup_vertices[i], b->soup_corners[i]);
        memcpy(values + (size_t)i * (size_t)layer->width, from, (size_t)layer->width * sizeof *values);
    }
    return values;
}

static bool add_layers(const building *b, pli_mesh_attributes *result)
{
    pli_mesh_attribute *list = calloc((size_t)b->p->layers.count + 1, sizeof *list);
    result->attributes = list;
    for (int32_t i = 0; list && i < b->p->layers.count; i++) {
        const pli_soup_layer *layer = &b->p->layers.items[i];
        if (layer->count == 0)
            continue;
        pli_mesh_attribute *to = &list[result->attribute_count++];
        *to = (pli_mesh_attribute){strdup(layer->name),
                                   layer->domain == PLI_LAYER_FACE ? PLI_ATTRIBUTE_FACE : PLI_ATTRIBUTE_VERTEX,
                                   layer->width, values_of(b, layer)};
        if (!to->name || !to->values)
            return false;
    }
    return list != NULL;
}

// Writes the elements of a group as mesh indices, each once.
static bool fill_group(const building *b, const pli_soup_group *group, int32_t *seen, int32_t mark, pli_mesh_group *to)
{
    bool faces = group->kind != PLI_GROUP_VERTICES;
    int32_t *elements = numbers(group->count);
    float *weights = group->weights ? malloc(((size_t)group->count + 1) * sizeof *weights) : NULL;
    *to = (pli_mesh_group){strdup(group->name), (pli_mesh_group_kind)group->kind, 0, elements, weights};
    if (!to->name || !elements || (group->weights && !weights))
        return false;
    for (int32_t i = 0; i < group->count; i++) {
        int32_t element = faces ? b->mesh_faces[group->elements[i]] : merged(b, group->elements[i]);
        if (element < 0 || seen[element] == mark)
            continue;
        seen[element] = mark;
        if (weights)
            weights[to->count] = group->weights[i];
        elements[to->count++] = element;
    }
    return true;
}

static bool add_groups(const building *b, pli_mesh_attributes *result)
{
    int32_t most = b->t->face_count > b->t->vertex_count ? b->t->face_count : b->t->vertex_count;
    pli_mesh_group *list = calloc((size_t)b->p->groups.count + 1, sizeof *list);
    int32_t *seen = numbers(most);
    result->groups = list;
    for (int32_t i = 0; seen && i < most; i++)
        seen[i] = -1;
    bool fine = list && seen;
    for (int32_t i = 0; fine && i < b->p->groups.count; i++) {
        const pli_soup_group *group = &b->p->groups.items[i];
        if (group->count > 0)
            fine = fill_group(b, group, seen, i, &list[result->group_count++]);
    }
    free(seen);
    return fine;
}

static bool allocate(building *b)
{
    int64_t most = (int64_t)b->file_vertex_count + b->t->corner_count;
    uint32_t buckets = 16;
    while ((int64_t)buckets < 2 * (int64_t)b->t->corner_count)
        buckets *= 2;
    b->bucket_mask = buckets - 1;
    b->soup_faces = numbers(b->t->face_count);
    b->soup_offsets = numbers((int64_t)b->p->face_count + 1);
    b->mesh_faces = numbers(b->p->face_count);
    b->map = numbers(most);
    b->soup_vertices = numbers(most);
    b->soup_corners = numbers(most);
    b->corners = numbers(b->t->corner_count);
    b->where = numbers(b->p->vertex_count > b->t->vertex_count ? b->p->vertex_count : b->t->vertex_count);
    b->buckets = calloc(buckets, sizeof *b->buckets); // The system does not commit memory that is never written.
    if (!b->soup_faces || !b->soup_offsets || !b->mesh_faces || !b->map || !b->soup_vertices || !b->soup_corners ||
        !b->corners || !b->where || !b->buckets)
        return false;
    for (int32_t i = 0; i < b->p->vertex_count; i++)
        b->where[i] = -1;
    return true;
}

pli_mesh_attributes *pli_attributes_build(const pli_polygons *polygons, const pli_mesh *mesh)
{
    building b = {.p = polygons, .t = pli_mesh_topology(mesh)};
    b.file_vertex_count = polygons->merged ? polygons->file_vertex_count : polygons->vertex_count;
    b.file_corners = polygons->file_corners ? polygons->file_corners : polygons->corners;
    pli_mesh_attributes *result = malloc(sizeof *result);
    bool fine = result && allocate(&b) && match_faces(&b);
    if (result)
        *result = pli_mesh_attributes_default();
    if (fine) {
        make_vertices(&b);
        result->vertex_count = b.vertex_count;
        result->file_vertex_count = b.file_vertex_count;
        result->vertex_map = b.map;
        result->corners = b.corners;
        result->triangles = triangles_of(&b);
        b.map = b.corners = NULL;
        fine = result->triangles && add_layers(&b, result) && add_groups(&b, result);
    }
    free(b.soup_faces);
    free(b.soup_offsets);
    free(b.mesh_faces);
    free(b.where);
    free(b.map);
    free(b.soup_vertices);
    free(b.soup_corners);
    free(b.corners);
    free(b.buckets);
    if (fine)
        return result;
    pli_mesh_attributes_destroy(result);
    return NULL;
}

static bool copy_numbers(const int32_t *from, int32_t count, const int32_t **to)
{
    int32_t *copy = numbers(count);
    if (copy && count > 0)
        memcpy(copy, from, (size_t)count * sizeof *copy);
    *to = copy;
    return copy != NULL;
}

static bool add_sheet_uv(const pli_topology *t, pli_mesh_attributes *result)
{
    float low[2] = {0, 0}, high[2] = {0, 0};
    pli_mesh_attribute *uv = calloc(1, sizeof *uv);
    float *values = malloc(((size_t)t->vertex_count + 1) * 2 * sizeof *values);
    result->attributes = uv;
    if (uv) {
        *uv = (pli_mesh_attribute){strdup(PLI_ATTRIBUTE_UV), PLI_ATTRIBUTE_VERTEX, 2, values};
        result->attribute_count = 1;
    } else {
        free(values);
    }
    if (!uv || !values || !uv->name)
        return false;
    for (int32_t v = 0; v < t->vertex_count; v++)
        for (int k = 0; k < 2; k++) {
            float x = t->positions[3 * (size_t)v + 2 * (size_t)k];
            low[k] = v == 0 || x < low[k] ? x : low[k];
            high[k] = v == 0 || x > high[k] ? x : high[k];
        }
    for (int32_t v = 0; v < t->vertex_count; v++)
        for (int k = 0; k < 2; k++) {
            float x = t->positions[3 * (size_t)v + 2 * (size_t)k], size = high[k] - low[k];
            values[2 * (size_t)v + (size_t)k] = size > 0.0f ? (k == 0 ? x - low[k] : high[k] - x) / size : 0.0f;
        }
    return true;
}

pli_mesh_attributes *pli_attributes_of_sheet(const pli_mesh *sheet)
{
    const pli_topology *t = pli_mesh_topology(sheet);
    pli_mesh_attributes *result = malloc(sizeof *result);
    int32_t *map = numbers(t->vertex_count);
    if (!result || !map) {
        free(result);
        free(map);
        return NULL;
    }
    *result = pli_mesh_attributes_default();
    for (int32_t v = 0; v < t->vertex_count; v++)
        map[v] = v;
    result->vertex_map = map;
    result->vertex_count = result->file_vertex_count = t->vertex_count;
    if (copy_numbers(t->face_vertices, t->corner_count, &result->corners) &&
        copy_numbers(t->triangles, 3 * t->triangle_count, &result->triangles) && add_sheet_uv(t, result))
        return result;
    pli_mesh_attributes_destroy(result);
    return NULL;
}
