// Loads a scene: parsing, --set, checks, meshes, attachments, bodies.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "files/json_parse.h"
#include "files/place.h"
#include "files/io_error.h"
#include "scene/scene_animation.h"
#include "scene/scene_attachments.h"
#include "scene/scene_bodies.h"
#include "scene/scene_mesh.h"
#include "scene/scene_paint.h"
#include "scene/scene_texture.h"
#include "scene_format/scene_aliases.h"
#include "scene_format/scene_check.h"
#include "scene_format/scene_material.h"
#include "scene_format/scene_paths.h"
#include "scene_format/scene_values.h"
#include "support/printable.h"

#include <stdlib.h>
#include <string.h>

pli_scene_load_def pli_scene_load_def_default(void)
{
    return (pli_scene_load_def){.vertex_limit = 4000000, .hooks = pli_hooks_default()};
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return hash;
}

static uint64_t hash_mesh(uint64_t hash, const pli_mesh *mesh)
{
    const pli_topology *t = pli_mesh_topology(mesh);
    hash = hash_bytes(hash, t->positions, 12 * (size_t)t->vertex_count);
    return hash_bytes(hash, t->face_vertices, 4 * (size_t)t->corner_count);
}

static int hash_piece(const char *text, size_t size, void *hash)
{
    *(uint64_t *)hash = hash_bytes(*(uint64_t *)hash, text, size);
    return 0;
}

// Hashes the canonical JSON and the contents of meshes, but not their paths. False when memory runs out. The JSON is hashed piece by
// piece, since a complete text silently lacks the keys for which memory ran out.
static bool find_hash(pli_scene *scene)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    if (json_dump_callback(scene->root, hash_piece, &hash, JSON_SORT_KEYS | JSON_COMPACT) != 0)
        return false;
    for (int i = 0; i < scene->mesh_count; i++)
        hash = hash_mesh(hash, scene->meshes[i]);
    for (int i = 0; i < scene->body_shape_count; i++)
        hash = scene->body_shapes[i].mesh ? hash_mesh(hash, scene->body_shapes[i].mesh) : hash;
    for (int i = 0; i < scene->collider_mesh_count; i++) {
        const scene_collider_mesh *model = &scene->collider_meshes[i];
        if (!model->mesh)
            continue;
        hash = hash_mesh(hash, model->mesh);
        hash = hash_bytes(hash, model->frames, 12 * (size_t)model->frame_count * (size_t)model->vertex_count);
    }
    scene->hash = scene_hash_textures(scene, hash);
    return true;
}

static void report_memory(scene_diagnostics *f)
{
    scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
}

static void parse(pli_scene *scene, scene_diagnostics *f, const char *text, size_t size)
{
    json_error_t where;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { // The UTF-8 byte order mark that Windows editors write.
        text += 3;
        size -= 3;
    }
    scene->root = pli_json_parse(text, size, JSON_REJECT_DUPLICATES, &where);
    if (scene->root) {
        if (!scene_places_find(&f->places, text, size))
            report_memory(f);
        return;
    }
    if (!where.text[0]) {
        report_memory(f);
        return;
    }
    pli_scene_diagnostic message = {.line = where.line, .column = where.column};
    snprintf(message.text, sizeof message.text, "%.300s", where.text);
    pli_make_printable(message.text, false);
    scene_diagnostics_keep(f, &message);
    f->count++;
    f->errors++;
    f->status = PLI_STATUS_PARSE;
    pli_fail(&f->first, PLI_STATUS_PARSE, "%.150s:%d:%d: %.300s", scene->path, where.line, where.column, message.text);
}

static bool fit_to_meshes(pli_scene *scene)
{
    bool complete = true;
    size_t i;
    json_t *deformable;
    json_array_foreach (json_object_get(scene->root, "deformables"), i, deformable)
        if (scene->meshes[i] && complete)
            complete = scene_fit_to_mesh(deformable, scene->plugins, scene->meshes[i]);
    return complete;
}

static void examine(pli_scene *scene, scene_diagnostics *f)
{
    for (int32_t i = 0; i < f->def->override_count && json_is_object(scene->root); i++)
        scene_apply_setting(f, scene->root, f->def->overrides[i]);
    scene_rename_former_keys(f, scene->root);
    if (!scene_expand_materials(scene->root, scene->plugins))
        report_memory(f);
    scene_check(f, scene->root);
    if (f->errors == 0)
        scene_read_meshes(scene, f);
    if (f->errors == 0)
        scene_read_textures(scene, f);
    if (f->errors == 0 && !fit_to_meshes(scene))
        report_memory(f);
    if (f->errors == 0)
        scene_check_paint(scene, f);
    if (f->errors == 0)
        scene_find_attachments(scene, f);
    if (f->errors == 0)
        scene_find_body_shapes(scene, f);
    if (f->errors == 0 && !find_hash(scene))
        report_memory(f);
}

// The folder of the files that a scene names; NULL for a text without a path.
static char *folder_of(const pli_scene_load_def *def)
{
    if (!def->path)
        return def->files ? strdup(".") : NULL;
    return def->files ? pli_folder_of(def->path) : pli_real_folder_of(def->path);
}

static bool keep_plugins(pli_scene *scene, const pli_scene_load_def *def)
{
    const scene_plugins given = scene_plugins_of(def);
    const pli_plugin_table **rows = calloc((size_t)given.count + 1, sizeof *rows);
    for (int32_t i = 0; rows && i < given.count; i++)
        rows[i] = given.rows[i];
    scene->plugins = (scene_plugins){rows, rows ? given.count : 0};
    return rows != NULL;
}

static pli_scene *create(const pli_scene_load_def *def)
{
    pli_scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return NULL;
    scene->path = strdup(def->path ? def->path : "scene");
    scene->folder = folder_of(def);
    scene->allow_outside = def->allow_outside;
    scene->hooks = def->hooks;
    scene->place = (pli_place){def->files, def->allow_outside ? NULL : scene->folder};
    scene->host_meshes = def->meshes;
    scene->host_mesh_count = def->meshes ? def->mesh_count : 0;
    if (scene->path && (scene->folder || def->text) && keep_plugins(scene, def))
        return scene;
    pli_scene_destroy(scene);
    return NULL;
}

// Clears the pointers that belong to the caller.
static void leave_places(pli_scene *scene)
{
    scene->place = (pli_place){0};
    scene->host_meshes = NULL;
    scene->host_mesh_count = 0;
}

static pli_status read_text(const pli_scene_load_def *def, pli_bytes *bytes, pli_error *error)
{
    const pli_place place = {.source = def->files};
    if (!def->path && !def->text)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "the load definition names no file; set its path or text");
    return def->text ? PLI_STATUS_OK : pli_place_read(&place, def->path, bytes, error);
}

pli_status pli_scene_load(const pli_scene_load_def *def, pli_scene **result, pli_error *error)
{
    pli_bytes bytes = {0};
    *result = NULL;
    if (def->diagnostic_count)
        *def->diagnostic_count = 0;
    pli_status status = read_text(def, &bytes, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_scene *scene = create(def);
    scene_diagnostics f = {.def = def};
    if (scene)
        parse(scene, &f, def->text ? def->text : bytes.data, def->text ? def->text_size : bytes.size);
    pli_bytes_release(&bytes);
    if (!scene)
        return pli_io_fail_memory(error);
    if (scene->root)
        examine(scene, &f);
    scene_places_release(&f.places);
    leave_places(scene);
    if (def->diagnostic_count)
        *def->diagnostic_count = f.count;
    if (f.errors > 0) {
        pli_scene_destroy(scene);
        if (error)
            *error = f.first;
        return f.status;
    }
    *result = scene;
    return pli_succeed(error);
}

void pli_scene_destroy(pli_scene *scene)
{
    if (!scene)
        return;
    scene_release_meshes(scene);
    scene_release_textures(scene);
    scene_release_attachments(scene);
    scene_release_body_shapes(scene);
    free((void *)(uintptr_t)scene->plugins.rows);
    free(scene->folder);
    free(scene->path);
    json_decref(scene->root);
    free(scene);
}

uint64_t pli_scene_hash(const pli_scene *scene) { return scene->hash; }
