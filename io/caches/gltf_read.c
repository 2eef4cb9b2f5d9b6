// Reads the animated glTF that this library writes: base positions plus one morph target per frame.
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_read.h"

#include "caches/cache_objects.h"
#include "files/bytes.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

// A range of the buffer with three floats per vertex.
typedef struct gltf_object {
    unsigned char *buffer; // Owned by the first object.
    bool owner;
    int64_t base;
    int64_t *frames;
} gltf_object;

typedef struct gltf_file {
    json_t *root;
    unsigned char *buffer;
    size_t size;
    double frames_per_second;
} gltf_file;

static json_t *item(json_t *root, const char *array, json_t *index)
{
    return json_is_integer(index) ? json_array_get(json_object_get(root, array), (size_t)json_integer_value(index))
                                  : NULL;
}

// Offset of an accessor's data in buffer 0, or -1 when its elements of `bytes` bytes exceed the buffer.
static int64_t place(const gltf_file *f, json_t *index, int64_t bytes, int64_t *count)
{
    json_t *accessor = item(f->root, "accessors", index);
    json_t *view = item(f->root, "bufferViews", json_object_get(accessor, "bufferView"));
    int64_t offset = json_integer_value(json_object_get(view, "byteOffset"));
    *count = json_integer_value(json_object_get(accessor, "count"));
    bool inside = view && json_integer_value(json_object_get(view, "buffer")) == 0 && offset >= 0 && *count >= 0 &&
                  *count <= INT32_MAX / 4 && offset <= (int64_t)f->size && *count * bytes <= (int64_t)f->size - offset;
    return inside ? offset : -1;
}

static pli_status read_frame(pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error)
{
    const gltf_object *o = reader->state;
    int32_t numbers = 3 * pli_mesh_topology(reader->mesh)->vertex_count;
    for (int32_t i = 0; i < numbers; i++) {
        float base = pli_bits_float(pli_unpack_little(o->buffer + o->base + 4 * (int64_t)i));
        positions[i] = base + pli_bits_float(pli_unpack_little(o->buffer + o->frames[frame] + 4 * (int64_t)i));
    }
    return pli_succeed(error);
}

static void close_object(pli_cache_reader *reader)
{
    gltf_object *o = reader->state;
    if (o) {
        if (o->owner)
            free(o->buffer);
        free(o->frames);
    }
    free(o);
    pli_mesh_destroy(reader->mesh);
    free(reader->path);
    free(reader->name);
}

static pli_status make_mesh(const gltf_file *f, const gltf_object *o, int64_t vertices, int64_t indices, int64_t count,
                            pli_mesh **mesh, pli_error *error)
{
    float *positions = malloc(12 * (size_t)vertices + 1);
    int32_t *corners = malloc(4 * (size_t)count + 1);
    pli_status status = positions && corners ? PLI_STATUS_OK : pli_io_fail_memory(error);
    for (int64_t i = 0; status == PLI_STATUS_OK && i < 3 * vertices; i++)
        positions[i] = pli_bits_float(pli_unpack_little(f->buffer + o->base + 4 * i));
    for (int64_t i = 0; status == PLI_STATUS_OK && i < count; i++)
        corners[i] = (int32_t)pli_unpack_little(f->buffer + indices + 4 * i);
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = (int32_t)vertices;
    def.face_vertices = corners;
    def.face_count = (int32_t)(count / 3);
    if (status == PLI_STATUS_OK)
        status = pli_mesh_create(&def, mesh, error);
    free(positions);
    free(corners);
    return status;
}

static pli_status fill_object(const gltf_file *f, json_t *mesh, pli_cache_reader *reader, pli_error *error)
{
    gltf_object *o = reader->state;
    json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
    json_t *targets = json_object_get(primitive, "targets"), *target;
    int64_t vertices, count, same;
    o->base = place(f, json_object_get(json_object_get(primitive, "attributes"), "POSITION"), 12, &vertices);
    int64_t indices = place(f, json_object_get(primitive, "indices"), 4, &count);
    reader->frame_count = (int32_t)json_array_size(targets);
    o->frames = calloc(json_array_size(targets) + 1, sizeof *o->frames);
    if (!o->frames)
        return pli_io_fail_memory(error);
    bool fine = o->base >= 0 && indices >= 0;
    size_t i;
    json_array_foreach (targets, i, target) {
        o->frames[i] = place(f, json_object_get(target, "POSITION"), 12, &same);
        fine = fine && o->frames[i] >= 0 && same == vertices;
    }
    if (!fine)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s' is not an animated glTF as Pliant writes it",
                        reader->path);
    return make_mesh(f, o, vertices, indices, count, &reader->mesh, error);
}

static double rate_of(const gltf_file *f)
{
    json_t *animation = json_array_get(json_object_get(f->root, "animations"), 0);
    json_t *sampler = json_array_get(json_object_get(animation, "samplers"), 0);
    json_t *input = item(f->root, "accessors", json_object_get(sampler, "input"));
    double last = json_number_value(json_array_get(json_object_get(input, "max"), 0));
    double count = (double)json_integer_value(json_object_get(input, "count"));
    return last > 0.0 && count > 1.0 ? (count - 1.0) / last : 60.0;
}

static pli_status open_objects(pli_cache *cache, gltf_file *f, const char *path, pli_error *error)
{
    json_t *meshes = json_object_get(f->root, "meshes"), *mesh;
    size_t i;
    pli_status status = json_array_size(meshes) > 0 ? PLI_STATUS_OK
                                                    : pli_fail(error, PLI_STATUS_PARSE, "'%s' has no meshes", path);
    json_array_foreach (meshes, i, mesh) {
        if (status != PLI_STATUS_OK)
            break;
        const char *name = json_string_value(json_object_get(mesh, "name"));
        gltf_object *o = calloc(1, sizeof *o);
        pli_cache_reader reader = {.path = strdup(path),
                                   .name = strdup(name ? name : "object"),
                                   .frames_per_second = rate_of(f),
                                   .state = o,
                                   .read = read_frame,
                                   .close = close_object};
        if (o)
            *o = (gltf_object){.buffer = f->buffer};
        status = o && reader.path && reader.name ? fill_object(f, mesh, &reader, error) : pli_io_fail_memory(error);
        if (status != PLI_STATUS_OK) {
            reader.close(&reader);
            break;
        }
        o->owner = i == 0;
        status = pli_cache_add(cache, &reader, error);
    }
    return status;
}

static pli_status load_buffer(gltf_file *f, const char *path, pli_error *error)
{
    const char *uri = json_string_value(json_object_get(json_array_get(json_object_get(f->root, "buffers"), 0), "uri"));
    if (!uri || strchr(uri, '/') || strncmp(uri, "data:", 5) == 0)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s' is not an animated glTF as Pliant writes it", path);
    const char *slash = strrchr(path, '/');
    char *folder = strndup(path, slash ? (size_t)(slash - path) : 0);
    char *file = folder ? pli_file_join(slash ? folder : ".", uri) : NULL, *content = NULL;
    pli_status status = file ? pli_file_read(file, &content, &f->size, error) : pli_io_fail_memory(error);
    f->buffer = (unsigned char *)content;
    free(folder);
    free(file);
    return status;
}

pli_status pli_open_gltf(pli_cache *cache, const char *path, const char *mesh_path, pli_error *error)
{
    (void)mesh_path;
    gltf_file f = {0};
    json_error_t where;
    char *content = NULL;
    size_t size = 0;
    pli_status status = pli_file_read(path, &content, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    f.root = json_loadb(content, size, 0, &where);
    free(content);
    status = f.root ? load_buffer(&f, path, error)
                    : pli_fail(error, PLI_STATUS_PARSE, "%s:%d:%d: %s", path, where.line, where.column, where.text);
    bool taken = false;
    if (status == PLI_STATUS_OK) {
        status = open_objects(cache, &f, path, error);
        taken = pli_cache_object_count(cache) > 0;
    }
    if (!taken)
        free(f.buffer);
    json_decref(f.root);
    return status;
}
