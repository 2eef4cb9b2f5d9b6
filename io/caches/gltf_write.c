// Animated glTF: every frame is a morph target, switched on at its time. Blender and three.js play it.
//
//   name.gltf          JSON; rewritten every CHECKPOINT frames and at the end
//   name.bin           indices and first positions of each object, then displacements frame by frame
//   name.weights.bin   times and weights, which depend on the number of frames
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_read.h"
#include "caches/recorder.h"

#include "files/bytes.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHECKPOINT = 50, FLOAT_TYPE = 5126, UNSIGNED_TYPE = 5125, ARRAY_BUFFER = 34962, INDEX_BUFFER = 34963 };

typedef struct span {
    float low[3], high[3];
} span;

typedef struct gltf_state {
    pli_new_file bin;
    int64_t base_size; // Bytes before the displacements.
    span *base;        // [objects]
    span *frames;      // [frames * objects]
    int32_t frame_capacity;
    float **first; // [objects] reference positions of the displacements.
} gltf_state;

static span empty_span(void) { return (span){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}; }

static void grow(span *s, const float *p)
{
    for (int k = 0; k < 3; k++) {
        s->low[k] = fminf(s->low[k], p[k]);
        s->high[k] = fmaxf(s->high[k], p[k]);
    }
}

static const pli_topology *topology_of(const pli_recorder *r, int32_t object)
{
    return pli_mesh_topology(r->objects[object].mesh);
}

static int64_t index_bytes(const pli_recorder *r, int32_t object)
{
    return 12 * (int64_t)topology_of(r, object)->triangle_count;
}

static int64_t point_bytes(const pli_recorder *r, int32_t object)
{
    return 12 * (int64_t)topology_of(r, object)->vertex_count;
}

static int64_t frame_bytes(const pli_recorder *r)
{
    int64_t sum = 0;
    for (int32_t i = 0; i < r->object_count; i++)
        sum += point_bytes(r, i);
    return sum;
}

// Displacements are relative to the rest positions, which are known before the first frame.
static bool load_first(pli_recorder *r, gltf_state *s)
{
    s->first = calloc((size_t)r->object_count, sizeof *s->first);
    s->base = calloc((size_t)r->object_count, sizeof *s->base);
    if (!s->first || !s->base)
        return false;
    for (int32_t i = 0; i < r->object_count; i++) {
        const pli_topology *topology = topology_of(r, i);
        s->first[i] = malloc((size_t)point_bytes(r, i) + 1);
        if (!s->first[i])
            return false;
        memcpy(s->first[i], topology->positions, (size_t)point_bytes(r, i));
        s->base[i] = empty_span();
        for (int32_t v = 0; v < topology->vertex_count; v++)
            grow(&s->base[i], s->first[i] + 3 * v);
        s->base_size += index_bytes(r, i) + point_bytes(r, i);
    }
    return true;
}

static void put_base(const pli_recorder *r, gltf_state *s)
{
    for (int32_t i = 0; i < r->object_count; i++) {
        const pli_topology *topology = topology_of(r, i);
        for (int32_t t = 0; t < 3 * topology->triangle_count; t++)
            pli_put_int_little(s->bin.stream, topology->triangles[t]);
        for (int32_t v = 0; v < 3 * topology->vertex_count; v++)
            pli_put_float_little(s->bin.stream, s->first[i][v]);
    }
}

static bool reserve_frames(gltf_state *s, int32_t frame, int32_t objects)
{
    if (frame < s->frame_capacity)
        return true;
    int32_t capacity = 2 * frame + 16;
    span *frames = realloc(s->frames, (size_t)capacity * (size_t)objects * sizeof *frames);
    if (!frames)
        return false;
    s->frames = frames;
    s->frame_capacity = capacity;
    return true;
}

// Computes the value ranges of frames written by an earlier run.
static pli_status read_spans(pli_recorder *r, gltf_state *s, pli_error *error)
{
    fseeko(s->bin.stream, (off_t)s->base_size, SEEK_SET);
    for (int32_t f = 0; f < r->resume_frame; f++) {
        if (!reserve_frames(s, f, r->object_count))
            return pli_io_fail_memory(error);
        for (int32_t i = 0; i < r->object_count; i++) {
            span *sp = &s->frames[f * r->object_count + i];
            *sp = empty_span();
            for (int32_t v = 0; v < topology_of(r, i)->vertex_count; v++) {
                unsigned char bytes[12];
                float p[3];
                if (fread(bytes, 1, sizeof bytes, s->bin.stream) != sizeof bytes)
                    return pli_fail(error, PLI_STATUS_CORRUPT, "'%s' has fewer than the %d frames to resume from",
                                    s->bin.path, (int)r->resume_frame);
                for (int k = 0; k < 3; k++)
                    p[k] = pli_bits_float(pli_unpack_little(bytes + 4 * k));
                grow(sp, p);
            }
        }
    }
    off_t end = (off_t)(s->base_size + r->resume_frame * frame_bytes(r));
    if (ftruncate(fileno(s->bin.stream), end) != 0 || fseeko(s->bin.stream, end, SEEK_SET) != 0)
        return pli_io_fail_errno(error, "resume", s->bin.path);
    return pli_succeed(error);
}

static char *file_path(const pli_recorder *r, const char *ending)
{
    size_t length = strlen(r->directory) + strlen(r->name) + strlen(ending) + 2;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s%s", r->directory, r->name, ending);
    return path;
}

static pli_status open_gltf(pli_recorder *r, pli_error *error)
{
    gltf_state *s = r->state;
    char *bin = file_path(r, ".bin"), *json = file_path(r, ".gltf");
    pli_status status = bin && json && load_first(r, s) ? PLI_STATUS_OK : pli_io_fail_memory(error);
    if (json)
        pli_recorder_note_path(r, json);
    if (status == PLI_STATUS_OK && r->resume_frame > 0) {
        s->bin.path = strdup(bin);
        s->bin.stream = fopen(bin, "r+b");
        status = s->bin.stream ? read_spans(r, s, error) : pli_io_fail_errno(error, "resume", bin);
    } else if (status == PLI_STATUS_OK) {
        status = pli_new_file_open(&s->bin, bin, error);
        if (status == PLI_STATUS_OK)
            put_base(r, s);
    }
    free(bin);
    free(json);
    return status;
}

static json_t *span_array(const float *values)
{
    return json_pack("[f,f,f]", (double)values[0], (double)values[1], (double)values[2]);
}

static void append(bool *whole, json_t *array, json_t *value)
{
    *whole = json_array_append_new(array, value) == 0 && *whole;
}

static void set(bool *whole, json_t *object, const char *key, json_t *value)
{
    *whole = json_object_set_new(object, key, value) == 0 && *whole;
}

// Adds a buffer view and an accessor over it; returns the accessor's index.
static int add_accessor(json_t *root, int buffer, int64_t offset, int64_t length, int target, int type, int64_t count,
                        const char *shape, const span *sp, bool *whole)
{
    json_t *views = json_object_get(root, "bufferViews"), *accessors = json_object_get(root, "accessors");
    json_t *view = json_pack("{s:i,s:I,s:I}", "buffer", buffer, "byteOffset", (json_int_t)offset, "byteLength",
                             (json_int_t)length);
    if (target)
        set(whole, view, "target", json_integer(target));
    json_t *accessor = json_pack("{s:i,s:i,s:I,s:s}", "bufferView", (int)json_array_size(views), "componentType", type,
                                 "count", (json_int_t)count, "type", shape);
    if (sp) {
        set(whole, accessor, "min", span_array(sp->low));
        set(whole, accessor, "max", span_array(sp->high));
    }
    append(whole, views, view);
    append(whole, accessors, accessor);
    return (int)json_array_size(accessors) - 1;
}

static json_t *mesh_json(const pli_recorder *r, const gltf_state *s, json_t *root, int32_t object, int64_t base_offset,
                         int64_t frame_offset, bool *whole)
{
    const pli_topology *topology = topology_of(r, object);
    int indices = add_accessor(root, 0, base_offset, index_bytes(r, object), INDEX_BUFFER, UNSIGNED_TYPE,
                               3 * (int64_t)topology->triangle_count, "SCALAR", NULL, whole);
    int positions = add_accessor(root, 0, base_offset + index_bytes(r, object), point_bytes(r, object), ARRAY_BUFFER,
                                 FLOAT_TYPE, topology->vertex_count, "VEC3", &s->base[object], whole);
    json_t *targets = json_array(), *weights = json_array();
    for (int32_t f = 0; f < r->frame; f++) {
        int target = add_accessor(root, 0, s->base_size + f * frame_bytes(r) + frame_offset, point_bytes(r, object),
                                  ARRAY_BUFFER, FLOAT_TYPE, topology->vertex_count, "VEC3",
                                  &s->frames[f * r->object_count + object], whole);
        append(whole, targets, json_pack("{s:i}", "POSITION", target));
        append(whole, weights, json_real(f == 0 ? 1.0 : 0.0));
    }
    json_t *primitive = json_pack("{s:{s:i},s:i,s:i}", "attributes", "POSITION", positions, "indices", indices,
                                  "material", object);
    json_t *mesh = json_pack("{s:s,s:[o]}", "name", r->objects[object].name, "primitives", primitive);
    if (r->frame > 0) {
        set(whole, primitive, "targets", targets);
        set(whole, mesh, "weights", weights);
    } else {
        json_decref(targets);
        json_decref(weights);
    }
    return mesh;
}

static void add_animation(const pli_recorder *r, json_t *root, bool *whole)
{
    if (r->frame == 0)
        return;
    int64_t frames = r->frame;
    const span times = {{0.0f}, {(float)((double)(frames - 1) / r->frames_per_second)}};
    int input = add_accessor(root, 1, 0, 4 * frames, 0, FLOAT_TYPE, frames, "SCALAR", NULL, whole);
    json_t *accessor = json_array_get(json_object_get(root, "accessors"), (size_t)input);
    set(whole, accessor, "min", json_pack("[f]", (double)times.low[0]));
    set(whole, accessor, "max", json_pack("[f]", (double)times.high[0]));
    int output = add_accessor(root, 1, 4 * frames, 4 * frames * frames, 0, FLOAT_TYPE, frames * frames, "SCALAR", NULL,
                              whole);
    json_t *channels = json_array();
    for (int32_t i = 0; i < r->object_count; i++)
        append(whole, channels, json_pack("{s:i,s:{s:i,s:s}}", "sampler", 0, "target", "node", i, "path", "weights"));
    json_t *sampler = json_pack("{s:i,s:i,s:s}", "input", input, "output", output, "interpolation", "LINEAR");
    json_t *animation = json_pack("{s:s,s:[o],s:o}", "name", "simulation", "samplers", sampler, "channels", channels);
    set(whole, root, "animations", json_pack("[o]", animation));
}

// Without memory for some of it the document is not `whole`.
static json_t *document(const pli_recorder *r, const gltf_state *s, bool *whole)
{
    json_t *root = json_pack("{s:{s:s,s:s},s:i,s:[{s:[]}],s:[],s:[],s:[],s:[],s:[],s:[]}", "asset", "version", "2.0",
                             "generator", "Pliant " PLI_VERSION_STRING, "scene", 0, "scenes", "nodes", "nodes",
                             "meshes", "materials", "accessors", "bufferViews", "buffers");
    int64_t base_offset = 0, frame_offset = 0;
    for (int32_t i = 0; i < r->object_count; i++) {
        pli_vec3 c = r->objects[i].colour;
        append(whole, json_object_get(root, "meshes"), mesh_json(r, s, root, i, base_offset, frame_offset, whole));
        append(whole, json_object_get(root, "nodes"), json_pack("{s:s,s:i}", "name", r->objects[i].name, "mesh", i));
        append(whole, json_object_get(root, "materials"),
               json_pack("{s:s,s:b,s:{s:[f,f,f,f],s:f,s:f}}", "name", r->objects[i].name, "doubleSided", 1,
                         "pbrMetallicRoughness", "baseColorFactor", (double)c.x, (double)c.y, (double)c.z, 1.0,
                         "metallicFactor", 0.0, "roughnessFactor", 0.8));
        append(whole, json_object_get(json_array_get(json_object_get(root, "scenes"), 0), "nodes"), json_integer(i));
        base_offset += index_bytes(r, i) + point_bytes(r, i);
        frame_offset += point_bytes(r, i);
    }
    add_animation(r, root, whole);
    char uri[300];
    json_t *buffers = json_object_get(root, "buffers");
    snprintf(uri, sizeof uri, "%.200s.bin", r->name);
    append(whole, buffers,
           json_pack("{s:s,s:I}", "uri", uri, "byteLength", (json_int_t)(s->base_size + r->frame * frame_bytes(r))));
    if (r->frame > 0) {
        snprintf(uri, sizeof uri, "%.200s.weights.bin", r->name);
        append(whole, buffers,
               json_pack("{s:s,s:I}", "uri", uri, "byteLength", (json_int_t)(4 * (int64_t)r->frame * (r->frame + 1))));
    }
    return root;
}

static pli_status write_weights(const pli_recorder *r, pli_error *error)
{
    char *path = file_path(r, ".weights.bin");
    pli_new_file file;
    pli_status status = path ? pli_new_file_open(&file, path, error) : pli_io_fail_memory(error);
    free(path);
    if (status != PLI_STATUS_OK)
        return status;
    for (int32_t f = 0; f < r->frame; f++)
        pli_put_float_little(file.stream, (float)(f / r->frames_per_second));
    for (int32_t f = 0; f < r->frame; f++)
        for (int32_t g = 0; g < r->frame; g++)
            pli_put_float_little(file.stream, f == g ? 1.0f : 0.0f);
    return pli_new_file_commit(&file, error);
}

static pli_status write_json(const pli_recorder *r, const gltf_state *s, pli_error *error)
{
    char *path = file_path(r, ".gltf");
    bool whole = true;
    json_t *root = document(r, s, &whole);
    pli_new_file file;
    pli_status status = path && root && whole ? pli_new_file_open(&file, path, error) : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK) {
        // Accessor bounds must be the floats themselves: nine digits bring them back.
        whole = json_dumpf(root, file.stream, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 || ferror(file.stream);
        status = whole ? pli_new_file_commit(&file, error) : pli_io_fail_memory(error);
        if (!whole)
            pli_new_file_abandon(&file);
    }
    free(path);
    json_decref(root);
    return status;
}

static pli_status write_checkpoint(const pli_recorder *r, gltf_state *s, pli_error *error)
{
    if (fflush(s->bin.stream) != 0 || fsync(fileno(s->bin.stream)) != 0)
        return pli_io_fail_errno(error, "write", s->bin.path);
    pli_status status = s->bin.temporary ? pli_new_file_publish(&s->bin, error) : PLI_STATUS_OK;
    if (status == PLI_STATUS_OK && r->frame > 0)
        status = write_weights(r, error);
    return status == PLI_STATUS_OK ? write_json(r, s, error) : status;
}

static pli_status add_gltf(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    (void)normals;
    gltf_state *s = r->state;
    if (!reserve_frames(s, r->frame, r->object_count))
        return pli_io_fail_memory(error);
    for (int32_t i = 0; i < r->object_count; i++) {
        span *sp = &s->frames[r->frame * r->object_count + i];
        *sp = empty_span();
        for (int32_t v = 0; v < positions[i].count; v++) {
            const float *p = pli_view_at(positions[i], v), *q = s->first[i] + 3 * v;
            const float d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
            grow(sp, d);
            for (int k = 0; k < 3; k++)
                pli_put_float_little(s->bin.stream, d[k]);
        }
    }
    if (ferror(s->bin.stream))
        return pli_io_fail_errno(error, "write", s->bin.path);
    if ((r->frame + 1) % CHECKPOINT != 0)
        return pli_succeed(error);
    r->frame++;
    pli_status status = write_checkpoint(r, s, error);
    r->frame--;
    return status;
}

static pli_status close_gltf(pli_recorder *r, pli_error *error)
{
    gltf_state *s = r->state;
    pli_status status = pli_succeed(error);
    if (s->bin.stream && r->frame > 0)
        status = write_checkpoint(r, s, error);
    pli_new_file_abandon(&s->bin);
    for (int32_t i = 0; s->first && i < r->object_count; i++)
        free(s->first[i]);
    free(s->first);
    free(s->base);
    free(s->frames);
    *s = (gltf_state){0};
    return status;
}

const pli_cache_row pli_cache_row_gltf = {
    .face = {"gltf", "gltf", "animated glTF with a morph target a frame: Blender, three.js", .can_read = true,
             .variable_topology = false},
    .state_size = sizeof(gltf_state),
    .open = open_gltf,
    .add = add_gltf,
    .close = close_gltf,
    .read = pli_open_gltf,
};
