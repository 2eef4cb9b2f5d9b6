// The scene of a glTF file as one mesh, with the vertices of the mesh importer, evaluated in the pose of a clip frame by frame.
#define _POSIX_C_SOURCE 200809L
#include "caches/gltf_figure.h"

#include "caches/cache_objects.h"
#include "formats/gltf_clip.h"
#include "formats/gltf_import.h"
#include "meshes/mesh_file.h"

#include <pliant/mesh_file.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double FRAMES_MAX = 1000000.0;

typedef struct figure {
    pli_place place;
    char *path;
    pli_bytes bytes;
    pli_import_file file;
    pli_gltf gltf;
    pli_gltf_pose pose;
    pli_gltf_parts parts;
    pli_gltf_clip clip;
    float *placed;   // 3 floats for each vertex of the file.
    int32_t *source; // File vertex of each vertex of the mesh.
    double rate;
    bool open;
} figure;

bool pli_is_gltf_figure(const pli_gltf *g)
{
    json_t *extras = json_object_get(g->root, "extras");
    const char *generator = json_string_value(json_object_get(json_object_get(g->root, "asset"), "generator"));
    bool recording = json_object_get(extras, "frames_per_second") ||
                     (generator && strncmp(generator, "Pliant ", 7) == 0);
    return !recording && json_array_size(json_object_get(g->root, "animations")) > 0;
}

static void close_figure(pli_cache_reader *reader)
{
    figure *f = reader->state;
    if (f) {
        pli_gltf_clip_close(&f->clip);
        pli_gltf_parts_release(&f->parts);
        pli_gltf_pose_close(&f->pose);
        if (f->open)
            pli_gltf_close(&f->gltf);
        pli_bytes_release(&f->bytes);
        free(f->placed);
        free(f->source);
        free(f->path);
    }
    free(f);
    pli_mesh_destroy(reader->mesh);
    free(reader->path);
    free(reader->name);
}

static pli_status read_frame(pli_cache_reader *reader, int32_t frame, float *positions, pli_error *error)
{
    figure *f = reader->state;
    pli_gltf_pose_rest(&f->pose);
    pli_gltf_clip_play(&f->clip, fmin((double)frame / f->rate, f->clip.length), &f->pose);
    pli_gltf_pose_place(&f->pose);
    pli_gltf_parts_pose(&f->parts, &f->pose);
    for (int32_t i = 0; i < f->parts.count; i++)
        pli_gltf_part_place(&f->parts, &f->parts.items[i], &f->pose, f->placed + 3 * (size_t)f->parts.items[i].first);
    const int32_t count = pli_mesh_topology(reader->mesh)->vertex_count;
    for (int32_t v = 0; v < count; v++)
        memcpy(positions + 3 * (size_t)v, f->placed + 3 * (size_t)f->source[v], 3 * sizeof *positions);
    return pli_succeed(error);
}

static void say(const pli_cache *cache, const char *line)
{
    const pli_hooks *hooks = cache->choice.hooks;
    if (hooks && hooks->log)
        hooks->log(hooks->user, PLI_LOG_INFO, line);
}

// Lists the names of all clips except one, separated by commas.
static void list_clips(json_t *clips, size_t but, char *text, size_t size)
{
    json_t *clip;
    size_t i;
    text[0] = '\0';
    json_array_foreach (clips, i, clip) {
        const char *name = json_string_value(json_object_get(clip, "name"));
        size_t used = strlen(text);
        if (i != but && used + 40 < size)
            snprintf(text + used, size - used, "%s'%.30s'", used ? ", " : "", name ? name : "");
    }
}

static pli_status choose_clip(const pli_cache *cache, figure *f, pli_error *error)
{
    json_t *clips = json_object_get(f->gltf.root, "animations"), *clip;
    size_t i, found = cache->choice.name ? SIZE_MAX : 0;
    char names[300], line[700];
    json_array_foreach (clips, i, clip) {
        const char *name = json_string_value(json_object_get(clip, "name"));
        if (found == SIZE_MAX && name && strcmp(name, cache->choice.name) == 0)
            found = i;
    }
    list_clips(clips, found, names, sizeof names);
    if (found == SIZE_MAX)
        return pli_fail(error, PLI_STATUS_NOT_FOUND, "%s: there is no clip '%.60s'; there are %s", f->path,
                        cache->choice.name, names);
    pli_status status = pli_gltf_clip_open(&f->clip, &f->gltf, found, &f->pose, error);
    if (status != PLI_STATUS_OK)
        return status;
    if (json_array_size(clips) > 1) {
        const char *name = json_string_value(json_object_get(json_array_get(clips, found), "name"));
        snprintf(line, sizeof line, "%.200s: its clip '%.60s' is played; not %s (\"clip\" of the animation names one)",
                 f->path, name ? name : "", names);
        say(cache, line);
    }
    if (f->clip.dropped > 0) {
        snprintf(line, sizeof line, "%.200s: %d channels of its clip move nothing that is known, and are left out",
                 f->path, (int)f->clip.dropped);
        say(cache, line);
    }
    return status;
}

// The mesh as imported elsewhere, repaired if it would be rejected, and the file vertex of each of its vertices.
static pli_status make_mesh(figure *f, pli_cache_reader *reader, pli_error *error)
{
    pli_mesh_import_def import = pli_mesh_import_def_default();
    pli_mesh_attributes *attributes = NULL;
    pli_polygons polygons = {0};
    import.attributes = &attributes;
    pli_status status = pli_mesh_read_at(&f->place, f->path, &import, &reader->mesh, NULL, error);
    import.policy = PLI_MESH_REPAIR;
    if (status == PLI_STATUS_INVALID_MESH)
        status = pli_mesh_read_at(&f->place, f->path, &import, &reader->mesh, NULL, error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_add_scene(&f->gltf, &f->pose, &f->parts, &polygons, error);
    const int32_t file_count = polygons.vertex_count;
    pli_polygons_release(&polygons);
    const pli_topology *t = status == PLI_STATUS_OK ? pli_mesh_topology(reader->mesh) : NULL;
    f->placed = calloc(3 * (size_t)file_count + 1, sizeof *f->placed);
    f->source = t ? calloc((size_t)t->vertex_count + 1, sizeof *f->source) : NULL;
    if (t && (!f->placed || !f->source || attributes->file_vertex_count != file_count))
        status = pli_io_fail_memory(error);
    // Merged vertices of the file are represented by the first one; vertices added by the repair have the position of their original.
    for (int32_t i = file_count - 1; status == PLI_STATUS_OK && i >= 0; i--)
        f->source[attributes->vertex_map[i]] = i;
    for (int32_t v = 0; status == PLI_STATUS_OK && v < t->vertex_count; v++)
        f->source[v] = f->source[t->vertex_source[v]];
    pli_mesh_attributes_destroy(attributes);
    return status;
}

static pli_status fill(pli_cache *cache, figure *f, pli_cache_reader *reader, pli_error *error)
{
    pli_status status = pli_place_read(&f->place, f->path, &f->bytes, error);
    if (status != PLI_STATUS_OK)
        return status;
    f->file = (pli_import_file){f->bytes.data, f->bytes.size, f->path, &f->place, NULL};
    f->open = true;
    status = pli_gltf_open(&f->gltf, &f->file, error);
    if (status == PLI_STATUS_OK)
        status = pli_gltf_pose_open(&f->pose, &f->gltf, error);
    if (status == PLI_STATUS_OK)
        status = choose_clip(cache, f, error);
    if (status == PLI_STATUS_OK)
        status = make_mesh(f, reader, error);
    if (status != PLI_STATUS_OK)
        return status;
    // A looping clip returns to its beginning one frame after the last, so that its end is not duplicated.
    const double wanted = cache->choice.rate > 0.0 ? cache->choice.rate : 60.0, span = f->clip.length * wanted;
    const double frames = fmax(1.0, ceil(span - 1e-4) + (cache->choice.loops && span > 0.5 ? 0.0 : 1.0));
    if (!(frames <= FRAMES_MAX))
        return pli_fail(error, PLI_STATUS_PARSE, "%s: its clip lasts %g s, more than %g frames", f->path,
                        f->clip.length, FRAMES_MAX);
    f->rate = cache->choice.loops && span > 0.5 ? frames / f->clip.length : wanted;
    reader->frame_count = (int32_t)frames;
    reader->frames_per_second = f->rate;
    return status;
}

pli_status pli_open_gltf_figure(pli_cache *cache, const pli_place *place, const char *path, pli_error *error)
{
    figure *f = calloc(1, sizeof *f);
    pli_cache_reader reader = {
        .path = strdup(path), .name = strdup("figure"), .state = f, .read = read_frame, .close = close_figure};
    if (f) {
        f->place = *place;
        f->path = strdup(path);
    }
    pli_status status = f && f->path && reader.path && reader.name ? fill(cache, f, &reader, error)
                                                                   : pli_io_fail_memory(error);
    if (status == PLI_STATUS_OK)
        return pli_cache_add(cache, &reader, error);
    close_figure(&reader);
    return status;
}
