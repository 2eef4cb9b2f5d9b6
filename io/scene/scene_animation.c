// Reads animations of mesh colliders from caches.
#define _POSIX_C_SOURCE 200809L
#include "scene/scene_animation.h"

#include "caches/cache_read.h"
#include "files/io_error.h"
#include "scene/scene_mesh.h"
#include "scene_format/scene_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double bytes_max = 1073741824.0;

typedef struct reading {
    const pli_scene *scene;
    json_t *collider, *animation;
    scene_collider_mesh *model;
    scene_diagnostics *diagnostics;
    const char *path; // JSON path of the animation.
    pli_cache *cache;
    int32_t object;
} reading;

static void find(const reading *r, const char *key, pli_status status, const char *text)
{
    char path[220];
    snprintf(path, sizeof path, "%.180s%s%s", r->path, key[0] ? "." : "", key);
    scene_report(r->diagnostics, status, false, path, "%.380s", text);
}

static bool open_cache(reading *r)
{
    char inner[220], text[400];
    pli_error error;
    json_t *mesh = json_object_get(r->collider, "mesh");
    const char *faces = scene_text(mesh, "file", NULL);
    const pli_clip_choice choice = {pli_scene_frames_per_second(r->scene), scene_text(r->animation, "clip", NULL),
                                    r->model->loop, &r->scene->hooks};
    snprintf(inner, sizeof inner, "%.180s.file", r->path);
    char *file = scene_file(r->scene, scene_text(r->animation, "file", ""), r->diagnostics, inner);
    char *beside = file && faces ? scene_file(r->scene, faces, r->diagnostics, inner) : NULL;
    if (file && (beside || !faces) &&
        pli_cache_open_at(&r->scene->place, file, beside, &choice, &r->cache, &error) != PLI_STATUS_OK) {
        snprintf(text, sizeof text, "%.300s%s", error.message,
                 faces ? "" : "; pc2 and mdd take their faces from the collider's mesh.file");
        find(r, "file", error.status, text);
    }
    free(file);
    free(beside);
    return r->cache != NULL;
}

// Lists the names of the cache's objects for a message.
static void list_objects(const pli_cache *cache, char *text, size_t size)
{
    text[0] = '\0';
    for (int32_t i = 0; i < pli_cache_object_count(cache) && strlen(text) + 40 < size; i++)
        snprintf(text + strlen(text), size - strlen(text), "%s%d %.24s", i ? ", " : "", (int)i,
                 pli_cache_object_at(cache, i).name);
}

static bool choose_object(reading *r)
{
    char text[400], names[240];
    r->object = (int32_t)scene_number(r->animation, "object", 0);
    if (r->object < pli_cache_object_count(r->cache))
        return true;
    list_objects(r->cache, names, sizeof names);
    snprintf(text, sizeof text, "no object %d: the file has %s", (int)r->object, names);
    find(r, "object", PLI_STATUS_NOT_FOUND, text);
    return false;
}

// Whether the frames have the vertex count of the mesh and fit into memory.
static bool check_size(reading *r)
{
    char text[400];
    const pli_mesh *faces = pli_cache_object_at(r->cache, r->object).mesh;
    int32_t frames = pli_cache_frame_count(r->cache);
    r->model->vertex_count = pli_mesh_topology(faces)->vertex_count;
    int32_t expected = r->model->mesh ? pli_mesh_topology(r->model->mesh)->vertex_count : r->model->vertex_count;
    if (r->model->vertex_count != expected)
        snprintf(text, sizeof text,
                 "has %d vertices, the collider's mesh has %d: give the mesh that was animated, "
                 "without weld or repair",
                 (int)r->model->vertex_count, (int)expected);
    else if (frames < 1 || r->model->vertex_count < 1)
        snprintf(text, sizeof text, "has %d whole frames of %d vertices; write at least one", (int)frames,
                 (int)r->model->vertex_count);
    else if (12.0 * (double)frames * (double)r->model->vertex_count > bytes_max)
        snprintf(text, sizeof text,
                 "%d frames of %d vertices need more than 1 GiB; write fewer frames, or a coarser "
                 "mesh for contact",
                 (int)frames, (int)r->model->vertex_count);
    else
        return true;
    find(r, "file", PLI_STATUS_INVALID_ARGUMENT, text);
    return false;
}

static int32_t first_not_finite(const float *positions, int32_t vertices)
{
    for (int32_t i = 0; i < 3 * vertices; i++)
        if (!isfinite(positions[i]))
            return i / 3;
    return -1;
}

static bool read_frames(reading *r)
{
    char text[400];
    pli_error error;
    scene_collider_mesh *model = r->model;
    int32_t count = pli_cache_frame_count(r->cache);
    float scale = (float)scene_number(json_object_get(r->collider, "mesh"), "scale", 1.0);
    size_t numbers = 3 * (size_t)r->model->vertex_count;
    model->frames = malloc((size_t)count * numbers * sizeof *model->frames);
    if (!model->frames) {
        find(r, "", PLI_STATUS_OUT_OF_MEMORY, "out of memory for the animation");
        return false;
    }
    for (; model->frame_count < count; model->frame_count++) {
        float *positions = model->frames + (size_t)model->frame_count * numbers;
        if (pli_cache_read(r->cache, r->object, model->frame_count, positions, &error) != PLI_STATUS_OK) {
            find(r, "file", error.status, error.message);
            return false;
        }
        for (size_t k = 0; k < numbers; k++)
            positions[k] *= scale;
        int32_t wrong = first_not_finite(positions, r->model->vertex_count);
        if (wrong < 0)
            continue;
        snprintf(text, sizeof text, "the position of vertex %d in frame %d is not finite; export the animation again",
                 (int)wrong, (int)model->frame_count);
        find(r, "file", PLI_STATUS_INVALID_ARGUMENT, text);
        return false;
    }
    return true;
}

// Replaces the mesh by one with the same faces at other positions.
static pli_status put_mesh(const reading *r, const pli_mesh *faces, const float *positions, pli_error *error)
{
    const pli_topology *topology = pli_mesh_topology(faces);
    int32_t *sizes = malloc(((size_t)topology->face_count + 1) * sizeof *sizes);
    if (!sizes)
        return pli_io_fail_memory(error);
    for (int32_t i = 0; i < topology->face_count; i++)
        sizes[i] = topology->face_offsets[i + 1] - topology->face_offsets[i];
    pli_mesh_def def = pli_mesh_def_default();
    def.positions = positions;
    def.vertex_count = topology->vertex_count;
    def.face_sizes = sizes;
    def.face_vertices = topology->face_vertices;
    def.face_count = topology->face_count;
    def.hooks = r->scene->hooks;
    pli_mesh *mesh;
    pli_status status = pli_mesh_create(&def, &mesh, error);
    free(sizes);
    if (status != PLI_STATUS_OK)
        return status;
    pli_mesh_destroy(r->model->mesh);
    r->model->mesh = mesh;
    return status;
}

static void place_start(const reading *r)
{
    pli_error error;
    scene_collider_mesh *model = r->model;
    const pli_mesh *faces = model->mesh ? model->mesh : pli_cache_object_at(r->cache, r->object).mesh;
    float *positions = malloc(3 * (size_t)r->model->vertex_count * sizeof *positions);
    if (positions)
        scene_animation_at(model, 0.0, positions);
    pli_status status = positions ? put_mesh(r, faces, positions, &error) : pli_io_fail_memory(&error);
    if (status != PLI_STATUS_OK)
        find(r, "file", status, error.message);
    free(positions);
}

void scene_read_animation(const pli_scene *scene, json_t *collider, scene_collider_mesh *model,
                          scene_diagnostics *diagnostics, const char *path)
{
    json_t *animation = json_object_get(collider, "animation");
    reading r = {.scene = scene,
                 .collider = collider,
                 .animation = animation,
                 .model = model,
                 .diagnostics = diagnostics,
                 .path = path};
    model->start = scene_number(animation, "start", 0.0);
    model->loop = scene_boolean(animation, "loop", false);
    if (open_cache(&r) && choose_object(&r) && check_size(&r)) {
        model->rate = pli_cache_frames_per_second(r.cache) * scene_number(animation, "speed", 1.0);
        if (read_frames(&r))
            place_start(&r);
    }
    pli_cache_close(r.cache);
}

void scene_animation_at(const scene_collider_mesh *model, double time, float *positions)
{
    size_t numbers = 3 * (size_t)model->vertex_count;
    double last = (double)model->frame_count - 1.0, at = fmax(0.0, (time - model->start) * model->rate);
    // A loop returns to the first frame one frame after the last.
    at = model->loop ? fmod(at, last + 1.0) : fmin(at, last);
    int32_t first = (int32_t)at, second = first < model->frame_count - 1 ? first + 1 : model->loop ? 0 : first;
    const float *a = model->frames + (size_t)first * numbers, *b = model->frames + (size_t)second * numbers;
    float part = (float)(at - (double)first);
    for (size_t i = 0; i < numbers; i++)
        positions[i] = a[i] + (b[i] - a[i]) * part;
}
