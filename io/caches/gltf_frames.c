// The buffer of an animated glTF. For each object, a frame contains a word that tells whether the object has moved since the previous
// frame. If it has, and always in the first frame, displacements of positions and of normals from the rest shape follow. In the first
// frame they are followed by the positions and normals themselves, which are all that is shown of an object that never moves. All
// values are little-endian words, so that views of them are aligned.
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_frames.h"

#include "files/bytes.h"
#include "support/publish.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pli_gltf_span empty_span(void)
{
    return (pli_gltf_span){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static pli_gltf_span span_of(const float *values, int32_t count)
{
    pli_gltf_span s = empty_span();
    for (int32_t i = 0; i < 3 * count; i++) {
        s.low[i % 3] = fminf(s.low[i % 3], values[i]);
        s.high[i % 3] = fmaxf(s.high[i % 3], values[i]);
    }
    return s;
}

int64_t pli_gltf_point_bytes(const pli_gltf_mesh *mesh) { return 12 * (int64_t)mesh->vertex_count; }

static const pli_topology *topology_of(const pli_recorder *r, int32_t object)
{
    return pli_mesh_topology(r->objects[object].mesh);
}

/* ---- shapes at rest ------------------------------------------------------------------------- */

// Vertex normals, weighted by area. Vertices without faces, or with faces of zero area only, point along y.
static void compute_normals(const pli_topology *t, pli_view positions, float *normals)
{
    memset(normals, 0, 12 * (size_t)t->vertex_count);
    for (int32_t i = 0; i < t->triangle_count; i++) {
        const int32_t *c = t->triangles + 3 * i;
        const float *p = pli_view_at(positions, c[0]), *q = pli_view_at(positions, c[1]),
                    *r = pli_view_at(positions, c[2]);
        const float a[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, b[3] = {r[0] - p[0], r[1] - p[1], r[2] - p[2]};
        for (int k = 0; k < 3; k++) {
            const int l = (k + 1) % 3, m = (k + 2) % 3;
            for (int corner = 0; corner < 3; corner++)
                normals[3 * c[corner] + k] += a[l] * b[m] - a[m] * b[l];
        }
    }
    for (int32_t v = 0; v < t->vertex_count; v++) {
        float *n = normals + 3 * v;
        const double length = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
        for (int k = 0; k < 3; k++)
            n[k] = length > 0.0 && isfinite(length) ? (float)(n[k] / length) : (float)(k == 1);
    }
}

// Positions and normals in the vertices of the file. Missing normals are computed.
static bool gather(const pli_recorder *r, int32_t object, const pli_gltf_mesh *m, pli_view positions, pli_view normals,
                   float *values)
{
    const pli_topology *t = topology_of(r, object);
    float *computed = NULL;
    if (normals.count != t->vertex_count) {
        computed = malloc(12 * (size_t)t->vertex_count + 1);
        if (!computed)
            return false;
        compute_normals(t, positions, computed);
        normals = (pli_view){computed, t->vertex_count, 12};
    }
    float *to = values + 3 * (size_t)m->vertex_count;
    for (int32_t i = 0; i < m->vertex_count; i++) {
        const int32_t v = m->map ? m->map[i] : i;
        memcpy(values + 3 * (size_t)i, pli_view_at(positions, v), 12);
        memcpy(to + 3 * (size_t)i, pli_view_at(normals, v), 12);
    }
    free(computed);
    return true;
}

static const pli_mesh_attribute *at_vertices(const pli_mesh_attributes *of, const char *name, int32_t least,
                                             int32_t most)
{
    const pli_mesh_attribute *found = pli_mesh_attribute_named(of, name);
    return found && found->domain == PLI_ATTRIBUTE_VERTEX && found->width >= least && found->width <= most ? found
                                                                                                           : NULL;
}

// Sets `all` to whether the file contains each vertex of the mesh; otherwise a cache could not be read back. False when memory runs
// out.
static bool covers(const pli_mesh_attributes *of, int32_t vertex_count, bool *all)
{
    bool *found = calloc((size_t)vertex_count + 1, sizeof *found);
    if (!found)
        return false;
    *all = true;
    for (int32_t i = 0; i < of->vertex_count; i++) {
        const int32_t v = of->vertex_map[i];
        if (v >= 0 && v < vertex_count)
            found[v] = true;
        else
            *all = false;
    }
    for (int32_t v = 0; v < vertex_count; v++)
        *all = *all && found[v];
    free(found);
    return true;
}

static bool load_mesh(const pli_recorder *r, pli_gltf_mesh *m, int32_t object)
{
    const pli_topology *t = topology_of(r, object);
    const pli_mesh_attributes *of = r->attributes ? r->attributes[object] : NULL;
    m->vertex_count = t->vertex_count;
    m->index_count = 3 * t->triangle_count;
    m->indices = t->triangles;
    bool all = false;
    if (of && of->vertex_map && of->triangles && !covers(of, t->vertex_count, &all))
        return false;
    if (all) {
        m->uv = at_vertices(of, PLI_ATTRIBUTE_UV, 2, 2);
        m->colours = at_vertices(of, PLI_ATTRIBUTE_COLOUR, 3, 4);
    }
    if (m->uv || m->colours) {
        m->vertex_count = of->vertex_count;
        m->map = of->vertex_map;
        m->indices = of->triangles;
    }
    m->rest = malloc(24 * (size_t)m->vertex_count + 1);
    m->last = calloc(6 * (size_t)m->vertex_count + 1, sizeof *m->last);
    const pli_view positions = {t->positions, t->vertex_count, 12};
    if (!m->rest || !m->last || !gather(r, object, m, positions, (pli_view){0}, m->rest))
        return false;
    m->span = span_of(m->rest, m->vertex_count);
    return true;
}

/* ---- the file ------------------------------------------------------------------------------- */

static void put_floats(FILE *stream, const float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pli_put_float_little(stream, values[i]);
}

static float clamped(float x) { return x > 0.0f ? fminf(x, 1.0f) : 0.0f; }

// Writes indices, positions and normals, texture coordinates, colours, and the mesh vertex of each vertex.
static void put_mesh(FILE *stream, const pli_gltf_mesh *m)
{
    for (int32_t i = 0; i < m->index_count; i++)
        pli_put_int_little(stream, m->indices[i]);
    put_floats(stream, m->rest, 6 * (size_t)m->vertex_count);
    for (int32_t i = 0; m->uv && i < m->vertex_count; i++) {
        const float *uv = m->uv->values + 2 * (size_t)i;
        pli_put_float_little(stream, uv[0]);
        pli_put_float_little(stream, 1.0f - uv[1]); // The origin of glTF's textures is at the top.
    }
    for (size_t i = 0; m->colours && i < (size_t)m->colours->width * (size_t)m->vertex_count; i++)
        pli_put_float_little(stream, clamped(m->colours->values[i]));
    for (int32_t i = 0; m->map && i < m->vertex_count; i++)
        pli_put_int_little(stream, m->map[i]);
}

static int64_t mesh_bytes(const pli_gltf_mesh *m)
{
    const int64_t words = (m->uv ? 2 : 0) + (m->colours ? m->colours->width : 0) + (m->map ? 1 : 0) + 6;
    return 4 * (m->index_count + words * m->vertex_count);
}

static bool reserve(pli_gltf_frames *s, int32_t frame, int32_t objects)
{
    if (frame < s->capacity)
        return true;
    const int32_t capacity = 2 * frame + 16;
    pli_gltf_sample *samples = realloc(s->samples, (size_t)capacity * (size_t)objects * sizeof *samples);
    if (!samples)
        return false;
    s->samples = samples;
    s->capacity = capacity;
    return true;
}

// Adds the sample at the current end of the file, and in the first frame also the data after it.
static void enter(const pli_recorder *r, pli_gltf_frames *s, int32_t frame, int32_t object)
{
    pli_gltf_mesh *m = &s->meshes[object];
    pli_gltf_sample *sample = &s->samples[(size_t)frame * (size_t)r->object_count + (size_t)object];
    *sample = (pli_gltf_sample){s->size, span_of(m->last, m->vertex_count)};
    s->size += 2 * pli_gltf_point_bytes(m);
    if (frame > 0)
        return;
    m->still_at = s->size;
    s->size += 2 * pli_gltf_point_bytes(m);
}

// A frame in which an object has not moved shares the previous sample.
static void repeat(const pli_recorder *r, pli_gltf_frames *s, int32_t frame, int32_t object)
{
    pli_gltf_sample *sample = &s->samples[(size_t)frame * (size_t)r->object_count + (size_t)object];
    *sample = sample[-r->object_count];
}

static bool get_words(FILE *stream, float *values, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        unsigned char bytes[4];
        if (fread(bytes, 1, 4, stream) != 4)
            return false;
        values[i] = pli_bits_float(pli_unpack_little(bytes));
    }
    return true;
}

// Reads the positions and normals after the first frame of an object.
static bool read_still(FILE *stream, pli_gltf_mesh *m)
{
    float values[3];
    m->still = empty_span();
    for (int32_t i = 0; i < 2 * m->vertex_count; i++) {
        if (!get_words(stream, values, 3))
            return false;
        for (int k = 0; k < 3 && i < m->vertex_count; k++) {
            m->still.low[k] = fminf(m->still.low[k], values[k]);
            m->still.high[k] = fmaxf(m->still.high[k], values[k]);
        }
    }
    return true;
}

// Reads an earlier run's data of an object in a frame.
static bool read_sample(pli_recorder *r, pli_gltf_frames *s, int32_t frame, int32_t object)
{
    pli_gltf_mesh *m = &s->meshes[object];
    const size_t numbers = 6 * (size_t)m->vertex_count;
    float word;
    bool complete = get_words(s->bin.stream, &word, 1);
    const uint32_t moved = complete ? pli_float_bits(word) : 0;
    complete = complete && (moved == 1 || (moved == 0 && frame > 0));
    s->size += 4;
    if (complete && moved == 0)
        repeat(r, s, frame, object);
    if (complete && moved == 1)
        complete = get_words(s->bin.stream, m->last, numbers);
    if (complete && moved == 1)
        enter(r, s, frame, object);
    return complete && (frame > 0 || read_still(s->bin.stream, m));
}

static pli_status resume(pli_recorder *r, pli_gltf_frames *s, const char *path, pli_error *error)
{
    s->bin.path = strdup(path);
    s->bin.stream = pli_open_to_change(path);
    if (!s->bin.path || !s->bin.stream)
        return pli_io_fail_errno(error, "resume", path);
    fseeko(s->bin.stream, (off_t)s->size, SEEK_SET);
    for (int32_t f = 0; f < r->resume_frame; f++) {
        if (!reserve(s, f, r->object_count))
            return pli_io_fail_memory(error);
        for (int32_t i = 0; i < r->object_count; i++)
            if (!read_sample(r, s, f, i))
                return ferror(s->bin.stream)
                           ? pli_io_fail_errno(error, "resume", path)
                           : pli_fail(error, PLI_STATUS_CORRUPT, "'%s' has fewer than the %d frames to resume from",
                                      path, (int)r->resume_frame);
    }
    if (ftruncate(fileno(s->bin.stream), (off_t)s->size) != 0 || fseeko(s->bin.stream, (off_t)s->size, SEEK_SET) != 0)
        return pli_io_fail_errno(error, "resume", path);
    return pli_succeed(error);
}

pli_status pli_gltf_frames_open(pli_recorder *r, pli_gltf_frames *s, const char *path, pli_error *error)
{
    s->meshes = calloc((size_t)r->object_count, sizeof *s->meshes);
    for (int32_t i = 0; i < r->object_count; i++) {
        if (!s->meshes || !load_mesh(r, &s->meshes[i], i))
            return pli_io_fail_memory(error);
        s->meshes[i].at = s->size;
        s->size += mesh_bytes(&s->meshes[i]);
    }
    if (r->resume_frame > 0)
        return resume(r, s, path, error);
    pli_status status = pli_new_file_open(&s->bin, path, error);
    for (int32_t i = 0; status == PLI_STATUS_OK && i < r->object_count; i++)
        put_mesh(s->bin.stream, &s->meshes[i]);
    return status;
}

static bool add_object(const pli_recorder *r, pli_gltf_frames *s, int32_t object, pli_view positions, pli_view normals)
{
    pli_gltf_mesh *m = &s->meshes[object];
    const size_t numbers = 6 * (size_t)m->vertex_count;
    float *values = malloc(8 * numbers + 1), *moved = values ? values + numbers : NULL;
    if (!values || !gather(r, object, m, positions, normals, values)) {
        free(values);
        return false;
    }
    for (size_t i = 0; i < numbers; i++)
        moved[i] = values[i] - m->rest[i];
    const bool is_new = r->frame == 0 || memcmp(moved, m->last, 4 * numbers) != 0;
    pli_put_int_little(s->bin.stream, is_new);
    s->size += 4;
    memcpy(m->last, moved, 4 * numbers);
    if (is_new) {
        enter(r, s, r->frame, object);
        put_floats(s->bin.stream, moved, numbers);
    } else {
        repeat(r, s, r->frame, object);
    }
    if (r->frame == 0) {
        put_floats(s->bin.stream, values, numbers);
        m->still = span_of(values, m->vertex_count);
    }
    free(values);
    return true;
}

pli_status pli_gltf_frames_add(pli_recorder *r, pli_gltf_frames *s, const pli_view *positions, const pli_view *normals,
                               pli_error *error)
{
    if (!reserve(s, r->frame, r->object_count))
        return pli_io_fail_memory(error);
    const int64_t start = s->size;
    for (int32_t i = 0; i < r->object_count; i++)
        if (!add_object(r, s, i, positions[i], normals ? normals[i] : (pli_view){0})) {
            s->size = start;
            fseeko(s->bin.stream, (off_t)start, SEEK_SET);
            return pli_io_fail_memory(error);
        }
    return ferror(s->bin.stream) ? pli_io_fail_errno(error, "write", s->bin.path) : pli_succeed(error);
}

bool pli_gltf_is_still(const pli_recorder *r, const pli_gltf_frames *s, int32_t object)
{
    return r->frame > 0 &&
           s->samples[(size_t)(r->frame - 1) * (size_t)r->object_count + (size_t)object].at == s->samples[object].at;
}

void pli_gltf_frames_close(const pli_recorder *r, pli_gltf_frames *s)
{
    pli_new_file_abandon(&s->bin);
    for (int32_t i = 0; s->meshes && i < r->object_count; i++) {
        free(s->meshes[i].rest);
        free(s->meshes[i].last);
    }
    free(s->meshes);
    free(s->samples);
    *s = (pli_gltf_frames){0};
}
