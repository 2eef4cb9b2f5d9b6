// Animated glTF: a frame is a morph target of positions and normals, switched on at its time. Frames in which an object has not moved share
// the previous target, and an object that never moves is a mesh without targets. Blender and three.js play it.
//
//   name.gltf          JSON; rewritten every CHECKPOINT frames and at the end
//   name.bin           the shape of each object, then displacements frame by frame (gltf_frames.h)
//   name.weights.bin   times and weights, which depend on the number of frames; absent where nothing moves
//
// The mesh of an object with texture coordinates or colours has render vertices. "vertices" in its extras is an accessor of the mesh vertex
// of each render vertex. "frames" and "frames_per_second" of the document serve recordings without an animation.
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_write.h"

#include "caches/gltf_read.h"

#include "files/bytes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FLOAT_TYPE = 5126, UNSIGNED_TYPE = 5125, ARRAY_BUFFER = 34962, INDEX_BUFFER = 34963 };

char *pli_gltf_path(const pli_recorder *r, const char *ending)
{
    size_t length = strlen(r->directory) + strlen(r->name) + strlen(ending) + 2;
    char *path = malloc(length);
    if (path)
        snprintf(path, length, "%s/%s%s", r->directory, r->name, ending);
    return path;
}

static pli_status open_gltf(pli_recorder *r, pli_error *error)
{
    char *bin = pli_gltf_path(r, ".bin"), *json = pli_gltf_path(r, ".gltf");
    const bool named = bin && json && pli_recorder_note_path(r, json);
    pli_status status = named ? pli_gltf_frames_open(r, r->state, bin, error) : pli_io_fail_memory(error);
    free(bin);
    free(json);
    // A file that could not be resumed remains unchanged.
    if (status != PLI_STATUS_OK)
        pli_gltf_frames_close(r, r->state);
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
                        const char *shape, const pli_gltf_span *sp, bool *whole)
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

// Positions, and the normals that follow them in the buffer.
static json_t *add_points(json_t *root, const pli_gltf_mesh *m, int64_t at, const pli_gltf_span *span, bool *whole)
{
    const int64_t bytes = pli_gltf_point_bytes(m);
    int positions = add_accessor(root, 0, at, bytes, ARRAY_BUFFER, FLOAT_TYPE, m->vertex_count, "VEC3", span, whole);
    int normals = add_accessor(root, 0, at + bytes, bytes, ARRAY_BUFFER, FLOAT_TYPE, m->vertex_count, "VEC3", NULL,
                               whole);
    return json_pack("{s:i,s:i}", "POSITION", positions, "NORMAL", normals);
}

// Adds numbers that each vertex has in addition to its position; returns the offset of the next ones.
static int64_t add_numbers(json_t *root, const pli_gltf_mesh *m, int64_t at, int width, json_t *attributes,
                           const char *name, bool *whole)
{
    static const char *const shapes[] = {"SCALAR", "VEC2", "VEC3", "VEC4"};
    const int64_t bytes = 4 * (int64_t)width * m->vertex_count;
    set(whole, attributes, name,
        json_integer(add_accessor(root, 0, at, bytes, ARRAY_BUFFER, FLOAT_TYPE, m->vertex_count, shapes[width - 1],
                                  NULL, whole)));
    return at + bytes;
}

// Frames of moving objects: one accessor per sample, regardless of the number of frames that share it.
static void add_targets(const pli_recorder *r, const pli_gltf_frames *s, json_t *root, int32_t object,
                        json_t *primitive, json_t *mesh, bool *whole)
{
    json_t *targets = json_array(), *weights = json_array(), *target = NULL;
    int64_t at = -1;
    for (int32_t f = 0; f < r->frame; f++) {
        const pli_gltf_sample *sample = &s->samples[(size_t)f * (size_t)r->object_count + (size_t)object];
        target = sample->at == at ? json_copy(target)
                                  : add_points(root, &s->meshes[object], sample->at, &sample->span, whole);
        at = sample->at;
        append(whole, targets, target);
        append(whole, weights, json_real(f == 0 ? 1.0 : 0.0));
    }
    set(whole, primitive, "targets", targets);
    set(whole, mesh, "weights", weights);
}

static json_t *mesh_json(const pli_recorder *r, const pli_gltf_frames *s, json_t *root, int32_t object, bool *whole)
{
    const pli_gltf_mesh *m = &s->meshes[object];
    const bool is_still = pli_gltf_is_still(r, s, object);
    int64_t at = m->at;
    int indices = add_accessor(root, 0, at, 4 * (int64_t)m->index_count, INDEX_BUFFER, UNSIGNED_TYPE, m->index_count,
                               "SCALAR", NULL, whole);
    at += 4 * (int64_t)m->index_count;
    json_t *attributes = is_still ? add_points(root, m, m->still_at, &m->still, whole)
                                  : add_points(root, m, at, &m->span, whole);
    at += 2 * pli_gltf_point_bytes(m);
    if (m->uv)
        at = add_numbers(root, m, at, 2, attributes, "TEXCOORD_0", whole);
    if (m->colours)
        at = add_numbers(root, m, at, m->colours->width, attributes, "COLOR_0", whole);
    json_t *primitive = json_pack("{s:o,s:i,s:i}", "attributes", attributes, "indices", indices, "material", object);
    json_t *mesh = json_pack("{s:s,s:[O]}", "name", r->objects[object].name, "primitives", primitive);
    if (m->map)
        set(whole, mesh, "extras",
            json_pack("{s:i}", "vertices",
                      add_accessor(root, 0, at, 4 * (int64_t)m->vertex_count, 0, UNSIGNED_TYPE, m->vertex_count,
                                   "SCALAR", NULL, whole)));
    if (r->frame > 0 && !is_still)
        add_targets(r, s, root, object, primitive, mesh, whole);
    json_decref(primitive);
    return mesh;
}

static bool is_all_still(const pli_recorder *r, const pli_gltf_frames *s)
{
    for (int32_t i = 0; i < r->object_count; i++)
        if (!pli_gltf_is_still(r, s, i))
            return r->frame == 0;
    return true;
}

int64_t pli_gltf_weight_bytes(const pli_recorder *r, const pli_gltf_frames *s)
{
    return is_all_still(r, s) ? 0 : 4 * (int64_t)r->frame * (r->frame + 1);
}

static void add_animation(const pli_recorder *r, const pli_gltf_frames *s, pli_gltf_buffers where, json_t *root,
                          bool *whole)
{
    if (is_all_still(r, s))
        return;
    const int buffer = where == PLI_GLTF_WITHIN ? 0 : 1;
    const int64_t frames = r->frame, at = where == PLI_GLTF_WITHIN ? s->size : 0;
    const double last = (double)(float)((double)(frames - 1) / r->frames_per_second);
    int input = add_accessor(root, buffer, at, 4 * frames, 0, FLOAT_TYPE, frames, "SCALAR", NULL, whole);
    json_t *accessor = json_array_get(json_object_get(root, "accessors"), (size_t)input);
    set(whole, accessor, "min", json_pack("[f]", 0.0));
    set(whole, accessor, "max", json_pack("[f]", last));
    int output = add_accessor(root, buffer, at + 4 * frames, 4 * frames * frames, 0, FLOAT_TYPE, frames * frames,
                              "SCALAR", NULL, whole);
    json_t *channels = json_array();
    for (int32_t i = 0; i < r->object_count; i++)
        if (!pli_gltf_is_still(r, s, i))
            append(whole, channels,
                   json_pack("{s:i,s:{s:i,s:s}}", "sampler", 0, "target", "node", i, "path", "weights"));
    json_t *sampler = json_pack("{s:i,s:i,s:s}", "input", input, "output", output, "interpolation", "LINEAR");
    json_t *animation = json_pack("{s:s,s:[o],s:o}", "name", "simulation", "samplers", sampler, "channels", channels);
    set(whole, root, "animations", json_pack("[o]", animation));
}

// The colour of an object; vertex colours are multiplied by it.
static json_t *material_json(const pli_recorder *r, const pli_gltf_frames *s, int32_t object)
{
    const pli_vec3 c = s->meshes[object].colours ? (pli_vec3){1.0f, 1.0f, 1.0f} : r->objects[object].colour;
    return json_pack("{s:s,s:b,s:{s:[f,f,f,f],s:f,s:f}}", "name", r->objects[object].name, "doubleSided", 1,
                     "pbrMetallicRoughness", "baseColorFactor", (double)c.x, (double)c.y, (double)c.z, 1.0,
                     "metallicFactor", 0.0, "roughnessFactor", 0.8);
}

static void add_buffers(const pli_recorder *r, const pli_gltf_frames *s, pli_gltf_buffers where, json_t *buffers,
                        bool *whole)
{
    char uri[300];
    const int64_t weights = pli_gltf_weight_bytes(r, s);
    if (where == PLI_GLTF_WITHIN) {
        append(whole, buffers, json_pack("{s:I}", "byteLength", (json_int_t)s->size + (json_int_t)weights));
        return;
    }
    snprintf(uri, sizeof uri, "%.200s.bin", r->name);
    append(whole, buffers, json_pack("{s:s,s:I}", "uri", uri, "byteLength", (json_int_t)s->size));
    if (weights > 0) {
        snprintf(uri, sizeof uri, "%.200s.weights.bin", r->name);
        append(whole, buffers, json_pack("{s:s,s:I}", "uri", uri, "byteLength", (json_int_t)weights));
    }
}

json_t *pli_gltf_document(const pli_recorder *r, const pli_gltf_frames *s, pli_gltf_buffers where, bool *whole)
{
    json_t *root = json_pack("{s:{s:s,s:s},s:i,s:[{s:[]}],s:[],s:[],s:[],s:[],s:[],s:[],s:{s:i,s:f}}", "asset",
                             "version", "2.0", "generator", "Pliant " PLI_VERSION_STRING, "scene", 0, "scenes", "nodes",
                             "nodes", "meshes", "materials", "accessors", "bufferViews", "buffers", "extras", "frames",
                             (int)r->frame, "frames_per_second", r->frames_per_second);
    for (int32_t i = 0; i < r->object_count; i++) {
        append(whole, json_object_get(root, "meshes"), mesh_json(r, s, root, i, whole));
        append(whole, json_object_get(root, "nodes"), json_pack("{s:s,s:i}", "name", r->objects[i].name, "mesh", i));
        append(whole, json_object_get(root, "materials"), material_json(r, s, i));
        append(whole, json_object_get(json_array_get(json_object_get(root, "scenes"), 0), "nodes"), json_integer(i));
    }
    add_animation(r, s, where, root, whole);
    add_buffers(r, s, where, json_object_get(root, "buffers"), whole);
    return root;
}

void pli_gltf_put_weights(const pli_recorder *r, FILE *stream)
{
    for (int32_t f = 0; f < r->frame; f++)
        pli_put_float_little(stream, (float)(f / r->frames_per_second));
    for (int32_t f = 0; f < r->frame; f++)
        for (int32_t g = 0; g < r->frame; g++)
            pli_put_float_little(stream, f == g ? 1.0f : 0.0f);
}

static pli_status write_weights(const pli_recorder *r, pli_new_file *file, pli_error *error)
{
    char *path = pli_gltf_path(r, ".weights.bin");
    pli_status status = path ? pli_new_file_open(file, path, error) : pli_io_fail_memory(error);
    free(path);
    if (status != PLI_STATUS_OK)
        return status;
    pli_gltf_put_weights(r, file->stream);
    return pli_new_file_finish(file, error);
}

static pli_status write_json(const pli_recorder *r, const pli_gltf_frames *s, pli_new_file *file, pli_error *error)
{
    char *path = pli_gltf_path(r, ".gltf");
    bool whole = true;
    json_t *root = pli_gltf_document(r, s, PLI_GLTF_BESIDE, &whole);
    pli_status status = path && root && whole ? pli_new_file_open(file, path, error) : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK) {
        // Accessor bounds must be the floats themselves: nine digits bring them back.
        whole = json_dumpf(root, file->stream, JSON_COMPACT | JSON_REAL_PRECISION(9)) == 0 || ferror(file->stream);
        status = whole ? pli_new_file_finish(file, error) : pli_io_fail_memory(error);
    }
    free(path);
    json_decref(root);
    return status;
}

pli_status pli_gltf_flush(const pli_gltf_frames *s, pli_error *error)
{
    // An earlier failed write has left a gap, which later writes do not report.
    if (ferror(s->bin.stream) || fflush(s->bin.stream) != 0 || fsync(fileno(s->bin.stream)) != 0)
        return pli_io_fail_errno(error, "write", s->bin.path);
    return pli_succeed(error);
}

// The document refers to the contents of the other files, so they are published together.
static pli_status write_checkpoint(const pli_recorder *r, pli_gltf_frames *s, pli_error *error)
{
    pli_new_file weights = {0}, json = {0}, *files[3];
    int32_t count = 0;
    pli_status status = pli_gltf_flush(s, error);
    if (status == PLI_STATUS_OK && !is_all_still(r, s))
        status = write_weights(r, &weights, error);
    if (status == PLI_STATUS_OK)
        status = write_json(r, s, &json, error);
    if (s->bin.temporary)
        files[count++] = &s->bin;
    if (weights.temporary)
        files[count++] = &weights;
    files[count++] = &json;
    if (status == PLI_STATUS_OK)
        status = pli_new_files_publish(files, count, error);
    pli_new_file_abandon(&weights);
    pli_new_file_abandon(&json);
    return status;
}

static pli_status add_gltf(pli_recorder *r, const pli_view *positions, const pli_view *normals, pli_error *error)
{
    pli_status status = pli_gltf_frames_add(r, r->state, positions, normals, error);
    if (status != PLI_STATUS_OK || (r->frame + 1) % PLI_GLTF_CHECKPOINT != 0)
        return status;
    r->frame++;
    status = write_checkpoint(r, r->state, error);
    r->frame--;
    return status;
}

static pli_status close_gltf(pli_recorder *r, pli_error *error)
{
    pli_gltf_frames *s = r->state;
    pli_status status = pli_succeed(error);
    if (s->bin.stream && r->frame > 0)
        status = write_checkpoint(r, s, error);
    pli_gltf_frames_close(r, s);
    return status;
}

const pli_cache_row pli_cache_row_gltf = {
    .face = {"gltf", "gltf", "animated glTF with a morph target a frame: Blender, three.js", .can_read = true,
             .variable_topology = false},
    .state_size = sizeof(pli_gltf_frames),
    .open = open_gltf,
    .add = add_gltf,
    .close = close_gltf,
    .read = pli_open_gltf,
};
