// Reads animated glTF written by this library: base positions plus one morph target per frame, or base positions only for still
// objects.
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_read.h"

#include "caches/cache_objects.h"
#include "caches/gltf_figure.h"
#include "formats/gltf_document.h"

#include <stdlib.h>
#include <string.h>

// The document, which all objects of a file read from.
typedef struct gltf_file {
    pli_gltf gltf;
    pli_import_file file;
    pli_bytes bytes;
    pli_place place;
    char *path;
    int32_t users;
} gltf_file;

typedef struct gltf_object {
    gltf_file *file;
    pli_gltf_numbers base, *frames;
    int32_t target_count; // 0 for a still object.
    int32_t *map;         // Mesh vertex of each vertex; NULL if they are identical.
} gltf_object;

static void leave(gltf_file *f)
{
    if (--f->users > 0)
        return;
    pli_gltf_close(&f->gltf);
    pli_bytes_release(&f->bytes);
    free(f->path);
    free(f);
}

static pli_status read_frame(pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error)
{
    const gltf_object *o = reader->state;
    for (int32_t i = 0; i < o->base.count; i++)
        for (int32_t k = 0; k < 3; k++) {
            float base = (float)pli_gltf_number(&o->base, i, k);
            positions[3 * (o->map ? o->map[i] : i) + k] = o->target_count > 0
                                                              ? base + (float)pli_gltf_number(&o->frames[frame], i, k)
                                                              : base;
        }
    return pli_succeed(error);
}

static void close_object(pli_cache_reader *reader)
{
    gltf_object *o = reader->state;
    if (o) {
        leave(o->file);
        free(o->frames);
        free(o->map);
    }
    free(o);
    pli_mesh_destroy(reader->mesh);
    free(reader->path);
    free(reader->name);
}

static pli_status fail_foreign(const pli_cache_reader *reader, pli_error *error)
{
    return pli_fail(error, PLI_STATUS_UNSUPPORTED, "'%s' is not an animated glTF as Pliant writes it", reader->path);
}

static pli_status make_mesh(const gltf_object *o, const pli_gltf_numbers *indices, pli_mesh **mesh, pli_error *error)
{
    float *positions = calloc(3 * (size_t)o->base.count + 1, sizeof *positions);
    int32_t *corners = malloc(4 * (size_t)indices->count + 1), count = o->map ? 0 : (int32_t)o->base.count;
    pli_status status = positions && corners ? PLI_STATUS_OK : pli_io_fail_memory(error);
    for (int64_t i = 0; status == PLI_STATUS_OK && i < o->base.count; i++) {
        const int64_t v = o->map ? o->map[i] : i;
        for (int32_t k = 0; k < 3; k++)
            positions[3 * v + k] = (float)pli_gltf_number(&o->base, i, k);
        count = v >= count ? (int32_t)v + 1 : count;
    }
    for (int64_t i = 0; status == PLI_STATUS_OK && i < indices->count; i++) {
        double vertex = pli_gltf_number(indices, i, 0);
        bool is_one = vertex >= 0.0 && vertex < (double)o->base.count;
        corners[i] = !is_one ? -1 : o->map ? o->map[(int32_t)vertex] : (int32_t)vertex;
    }
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = count;
    def.face_vertices = corners;
    def.face_count = (int32_t)(indices->count / 3);
    if (status == PLI_STATUS_OK)
        status = pli_mesh_create(&def, mesh, error);
    free(positions);
    free(corners);
    return status;
}

// Reads the mesh vertex of each vertex, if the file has it.
static pli_status read_map(gltf_object *o, json_t *accessor, const pli_cache_reader *reader, pli_error *error)
{
    pli_gltf_numbers numbers;
    pli_status status = pli_gltf_find(&o->file->gltf, accessor, &numbers, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (numbers.count != o->base.count || numbers.width != 1)
        return fail_foreign(reader, error);
    o->map = malloc((size_t)numbers.count * sizeof *o->map + 1);
    if (!o->map)
        return pli_io_fail_memory(error);
    for (int64_t i = 0; i < numbers.count; i++) {
        const double vertex = pli_gltf_number(&numbers, i, 0);
        if (!(vertex >= 0.0 && vertex < (double)numbers.count))
            return fail_foreign(reader, error);
        o->map[i] = (int32_t)vertex;
    }
    return pli_succeed(error);
}

static pli_status fill_object(gltf_object *o, json_t *mesh, pli_cache_reader *reader, pli_error *error)
{
    pli_gltf *g = &o->file->gltf;
    json_t *primitive = json_array_get(json_object_get(mesh, "primitives"), 0);
    json_t *targets = json_object_get(primitive, "targets"), *target;
    pli_gltf_numbers indices;
    const json_int_t frames = json_integer_value(json_object_get(json_object_get(g->root, "extras"), "frames"));
    o->target_count = (int32_t)json_array_size(targets);
    reader->frame_count = o->target_count;
    if (!targets && frames > 0 && frames < INT32_MAX)
        reader->frame_count = (int32_t)frames;
    o->frames = calloc(json_array_size(targets) + 1, sizeof *o->frames);
    if (!o->frames)
        return pli_io_fail_memory(error);
    json_t *base = json_object_get(json_object_get(primitive, "attributes"), "POSITION");
    if (!base || !json_object_get(primitive, "indices"))
        return fail_foreign(reader, error);
    pli_status status = pli_gltf_find(g, base, &o->base, error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_find(g, json_object_get(primitive, "indices"), &indices, error);
    size_t i;
    json_array_foreach (targets, i, target) {
        if (status == PLI_STATUS_OK)
            status = pli_gltf_find(g, json_object_get(target, "POSITION"), &o->frames[i], error);
        if (status == PLI_STATUS_OK && (o->frames[i].count != o->base.count || o->frames[i].width != 3))
            return fail_foreign(reader, error);
    }
    if (status == PLI_STATUS_OK && (o->base.width != 3 || indices.width != 1))
        return fail_foreign(reader, error);
    json_t *map = json_object_get(json_object_get(mesh, "extras"), "vertices");
    if (status == PLI_STATUS_OK && map)
        status = read_map(o, map, reader, error);
    return status == PLI_STATUS_OK ? make_mesh(o, &indices, &reader->mesh, error) : status;
}

static double rate_of(const pli_gltf *g)
{
    const double said = json_number_value(json_object_get(json_object_get(g->root, "extras"), "frames_per_second"));
    if (said > 0.0)
        return said;
    json_t *animation = json_array_get(json_object_get(g->root, "animations"), 0);
    json_t *sampler = json_array_get(json_object_get(animation, "samplers"), 0);
    json_t *input = pli_gltf_item(g, "accessors", json_object_get(sampler, "input"));
    double last = json_number_value(json_array_get(json_object_get(input, "max"), 0));
    double count = (double)json_integer_value(json_object_get(input, "count"));
    return last > 0.0 && count > 1.0 ? (count - 1.0) / last : 60.0;
}

static pli_status open_object(pli_cache *cache, gltf_file *f, json_t *mesh, pli_error *error)
{
    const char *name = json_string_value(json_object_get(mesh, "name"));
    gltf_object *o = calloc(1, sizeof *o);
    pli_cache_reader reader = {.path = strdup(f->path),
                               .name = strdup(name ? name : "object"),
                               .frames_per_second = rate_of(&f->gltf),
                               .state = o,
                               .read = read_frame,
                               .close = close_object};
    if (o) {
        o->file = f;
        f->users++;
    }
    pli_status status = o && reader.path && reader.name ? fill_object(o, mesh, &reader, error)
                                                        : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK)
        return pli_cache_add(cache, &reader, error);
    reader.close(&reader);
    return status;
}

static pli_status open_objects(pli_cache *cache, gltf_file *f, pli_error *error)
{
    pli_status status = pli_place_read(&f->place, f->path, &f->bytes, error);
    if (status != PLI_STATUS_OK)
        return status;
    f->file = (pli_import_file){f->bytes.data, f->bytes.size, f->path, &f->place, NULL};
    status = pli_gltf_open(&f->gltf, &f->file, error);
    if (status != PLI_STATUS_OK)
        return status;
    json_t *meshes = json_object_get(f->gltf.root, "meshes"), *mesh;
    size_t i;
    if (pli_is_gltf_figure(&f->gltf))
        return pli_open_gltf_figure(cache, &f->place, f->path, error);
    if (json_array_size(meshes) == 0)
        return pli_fail(error, PLI_STATUS_PARSE, "'%s' has no meshes", f->path);
    json_array_foreach (meshes, i, mesh)
        if (status == PLI_STATUS_OK)
            status = open_object(cache, f, mesh, error);
    return status;
}

pli_status pli_open_gltf(pli_cache *cache, const pli_place *place, const char *path, const char *mesh_path,
                         pli_error *error)
{
    (void)mesh_path;
    gltf_file *f = calloc(1, sizeof *f);
    if (!f)
        return pli_io_fail_memory(error);
    f->users = 1;
    f->place = *place;
    f->path = strdup(path);
    pli_status status = f->path ? open_objects(cache, f, error) : pli_io_fail_memory(error);
    leave(f);
    return status;
}
