// Scenes from text, with the files that they name from JavaScript.
#include "../web.h"

#include <pliant/scene.h>

#include <string.h>

enum { MOST_FILES = 64, MOST_OVERRIDES = 256, MOST_DIAGNOSTICS = 64 };

typedef struct named_bytes {
    const char *name;
    const void *data;
    size_t size;
} named_bytes;

// For the next scene: JavaScript owns names and bytes, and keeps them until it is loaded.
static named_bytes files[MOST_FILES];
static const char *overrides[MOST_OVERRIDES];
static pli_scene_host_mesh meshes[MOST_FILES];
static int32_t file_count, override_count, mesh_count;

static pli_scene_diagnostic diagnostics[MOST_DIAGNOSTICS];
static int32_t diagnostic_count;

EXPORT(scene_begin) void web_scene_begin(void) { file_count = override_count = mesh_count = 0; }

static pli_status too_many(const char *what, int32_t most)
{
    return pli_fail(&web_error, PLI_STATUS_UNSUPPORTED, "a scene takes at most %d %s here", (int)most, what);
}

EXPORT(scene_add_file) pli_status web_scene_add_file(const char *name, const void *data, size_t size)
{
    if (file_count == MOST_FILES)
        return too_many("files", MOST_FILES);
    files[file_count++] = (named_bytes){name, data, size};
    return PLI_STATUS_OK;
}

EXPORT(scene_add_override) pli_status web_scene_add_override(const char *text)
{
    if (override_count == MOST_OVERRIDES)
        return too_many("overrides", MOST_OVERRIDES);
    overrides[override_count++] = text;
    return PLI_STATUS_OK;
}

EXPORT(scene_add_mesh) pli_status web_scene_add_mesh(const char *name, const pli_mesh *mesh)
{
    if (mesh_count == MOST_FILES)
        return too_many("meshes", MOST_FILES);
    meshes[mesh_count++] = (pli_scene_host_mesh){name, mesh};
    return PLI_STATUS_OK;
}

static bool read_file(void *user, const char *name, const void **data, size_t *size)
{
    (void)user;
    for (int32_t i = 0; i < file_count; i++) {
        if (strcmp(files[i].name, name) == 0) {
            *data = files[i].data, *size = files[i].size;
            return true;
        }
    }
    return false;
}

/// Null when it fails; findings are there in both cases.
EXPORT(scene_load) pli_scene *web_scene_load(const char *path, const char *text, size_t size)
{
    const pli_file_source source = {read_file, NULL, NULL};
    pli_scene_load_def load = pli_scene_load_def_default();
    pli_scene *scene = NULL;
    load.path = path, load.text = text, load.text_size = size;
    load.files = &source;
    load.overrides = overrides, load.override_count = override_count;
    load.meshes = meshes, load.mesh_count = mesh_count;
    load.diagnostics = diagnostics, load.diagnostic_capacity = MOST_DIAGNOSTICS;
    load.diagnostic_count = &diagnostic_count;
    diagnostic_count = 0;
    web_error.status = pli_scene_load(&load, &scene, &web_error);
    return web_error.status == PLI_STATUS_OK ? scene : NULL;
}

EXPORT(scene_diagnostic_count) int32_t web_scene_diagnostic_count(void)
{
    return diagnostic_count < MOST_DIAGNOSTICS ? diagnostic_count : MOST_DIAGNOSTICS;
}

/// Values: line, column, whether it is a warning, addresses of path and text.
EXPORT(scene_diagnostic_at) void web_scene_diagnostic_at(int32_t i)
{
    const pli_scene_diagnostic *found = &diagnostics[i];
    web_values[0] = found->line;
    web_values[1] = found->column;
    web_values[2] = found->warning;
    web_values[3] = (double)(uintptr_t)found->path;
    web_values[4] = (double)(uintptr_t)found->text;
}

EXPORT(scene_destroy) void web_scene_destroy(pli_scene *scene) { pli_scene_destroy(scene); }
EXPORT(scene_title) const char *web_scene_title(const pli_scene *scene) { return pli_scene_title(scene); }
EXPORT(scene_frame_count) int32_t web_scene_frame_count(const pli_scene *scene) { return pli_scene_frame_count(scene); }
EXPORT(scene_frames_per_second) double web_scene_frames_per_second(const pli_scene *scene)
{
    return pli_scene_frames_per_second(scene);
}

EXPORT(scene_hash) void web_scene_hash(const pli_scene *scene)
{
    uint64_t hash = pli_scene_hash(scene);
    web_values[0] = (double)(hash >> 32);
    web_values[1] = (double)(hash & UINT32_MAX);
}

#define VIEW(F, V, A)                                                                                                  \
    F(fitted)                                                                                                          \
    V(eye)                                                                                                             \
    V(target)                                                                                                          \
    V(up)                                                                                                              \
    F(field_of_view)                                                                                                   \
    F(width)                                                                                                           \
    F(height)                                                                                                          \
    F(ground)                                                                                                          \
    F(ground_height)                                                                                                   \
    F(wireframe)                                                                                                       \
    F(measure)                                                                                                         \
    F(measure_minimum)                                                                                                 \
    F(measure_maximum)                                                                                                 \
    V(background)                                                                                                      \
    F(azimuth)                                                                                                         \
    F(elevation)

WEB_RECORD(scene_view, pli_scene_view, VIEW)

EXPORT(scene_view) void web_scene_view(const pli_scene *scene)
{
    pli_scene_view view = pli_scene_get_view(scene);
    web_put_scene_view(&view);
}

#define LOOK(F, V, A)                                                                                                  \
    V(front)                                                                                                           \
    V(back)                                                                                                            \
    F(flat)                                                                                                            \
    F(pattern)                                                                                                         \
    F(pattern_size)                                                                                                    \
    F(sheen)                                                                                                           \
    F(gloss)                                                                                                           \
    F(transmission)                                                                                                    \
    F(thickness)                                                                                                       \
    F(hem)                                                                                                             \
    V(hem_colour)

WEB_RECORD(scene_look, pli_scene_look, LOOK)

EXPORT(scene_look) void web_scene_look(const pli_scene *scene, int32_t deformable)
{
    pli_scene_look look = pli_scene_get_look(scene, deformable);
    web_put_scene_look(&look);
}

/// Values: colour, whether it is drawn, whether shading is flat.
EXPORT(scene_collider_look) void web_scene_collider_look(const pli_scene *scene, int32_t collider)
{
    double *to = web_put_vector(web_values, pli_scene_collider_colour(scene, collider));
    *to++ = pli_scene_collider_visible(scene, collider);
    *to = pli_scene_collider_flat(scene, collider);
}

/// The mesh of a deformable with a reference of its own, and the attributes that its file gave, which the scene keeps.
EXPORT(scene_mesh) const pli_mesh *web_scene_mesh(const pli_scene *scene, int32_t deformable)
{
    const pli_mesh *mesh = pli_scene_mesh(scene, deformable);
    return mesh ? pli_mesh_retain(mesh) : NULL;
}
EXPORT(scene_mesh_attributes)
const pli_mesh_attributes *web_scene_mesh_attributes(const pli_scene *scene, int32_t deformable)
{
    return pli_scene_mesh_attributes(scene, deformable);
}

/// `threads` 0: as the scene says. `cooked` may be null.
EXPORT(scene_create_world)
web_world *web_scene_create_world(const pli_scene *scene, int32_t threads, const void *cooked, size_t size)
{
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_world *world = NULL;
    web_world *wrapped = NULL;
    def.thread_count = threads, def.cooked = cooked, def.cooked_size = size;
    web_error.status = pli_scene_create_world(scene, &def, &world, &web_error);
    if (web_error.status == PLI_STATUS_OK && web_world_wrap(world, &wrapped) != PLI_STATUS_OK)
        pli_world_destroy(world);
    return wrapped;
}

EXPORT(scene_step) pli_status web_scene_step(const pli_scene *scene, web_world *world, int32_t frame)
{
    return pli_scene_step(scene, web_world_of(world), frame, &web_error);
}
EXPORT(scene_seek) pli_status web_scene_seek(const pli_scene *scene, web_world *world, int32_t frame)
{
    return pli_scene_seek(scene, web_world_of(world), frame, &web_error);
}

/// The caller releases it (text_release).
EXPORT(descriptors_json) char *web_descriptors_json(void)
{
    char *text = NULL;
    return pli_descriptors_json(&text, &web_error) == PLI_STATUS_OK ? text : NULL;
}
EXPORT(text_release) void web_text_release(char *text) { pli_text_release(text); }
EXPORT(scene_schema) char *web_scene_schema(void) { return pli_scene_schema(); }
