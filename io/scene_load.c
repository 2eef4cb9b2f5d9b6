// Loading a scene: parse, settings, check, meshes, attachments' particles.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "file.h"
#include "scene_private.h"
#include "scene_ties.h"

#include <pliant/mesh_file.h>

#include <stdlib.h>
#include <string.h>

#define LOAD_COOKIE 0x504c534cu

pli_scene_load_def pli_scene_load_def_default(void)
{
    return (pli_scene_load_def){.cookie = LOAD_COOKIE, .vertex_limit = 4000000, .hooks = pli_hooks_default()};
}

static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : strdup(".");
    char *real = folder ? realpath(folder, NULL) : NULL;
    free(folder);
    return real;
}

// The real path of a file that the scene names, inside its folder unless allowed.
static char *file_of(const pli_scene *scene, const char *name, scene_findings *f, const char *path)
{
    char *joined = name[0] == '/' ? strdup(name) : pli_file_join(scene->folder, name);
    char *real = joined ? realpath(joined, NULL) : NULL;
    free(joined);
    if (!real) {
        scene_find(f, PLI_STATUS_NOT_FOUND, false, path, "there is no file '%s' in %.120s", name, scene->folder);
        return NULL;
    }
    size_t length = strlen(scene->folder);
    bool inside = strncmp(real, scene->folder, length) == 0 && (real[length] == '/' || length == 1);
    if (inside || scene->allow_outside)
        return real;
    scene_find(f, PLI_STATUS_FILE, false, path,
               "'%s' is outside the scene's folder; put it inside, or allow it with "
               "--allow-outside",
               name);
    free(real);
    return NULL;
}

static pli_status read_file(const pli_scene *scene, json_t *mesh, scene_findings *f, const char *path,
                            pli_mesh **result, pli_error *error)
{
    char inner[220];
    snprintf(inner, sizeof inner, "%.180s.file", path);
    char *file = file_of(scene, scene_text(mesh, "file", ""), f, inner);
    if (!file)
        return PLI_STATUS_OK;
    pli_mesh_import import = pli_mesh_import_default();
    import.scale = (float)scene_number(mesh, "scale", 1.0);
    import.weld = scene_boolean(mesh, "weld", false);
    import.policy = scene_boolean(mesh, "repair", false) ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
    import.hooks = scene->hooks;
    pli_status status = pli_mesh_read(file, &import, result, NULL, error);
    free(file);
    return status;
}

static pli_status make_plant(json_t *plant, pli_mesh **result, pli_error *error)
{
    pli_plant_def def = pli_plant_def_default();
    def.height = (float)scene_number(plant, "height", (double)def.height);
    def.radius = (float)scene_number(plant, "radius", (double)def.radius);
    def.branches = (int32_t)scene_number(plant, "branches", def.branches);
    def.segments = (int32_t)scene_number(plant, "segments", def.segments);
    def.sides = (int32_t)scene_number(plant, "sides", def.sides);
    def.leaf_length = (float)scene_number(plant, "leaf_length", (double)def.leaf_length);
    def.leaf_width = (float)scene_number(plant, "leaf_width", (double)def.leaf_width);
    def.seed = (uint32_t)scene_number(plant, "seed", def.seed);
    return pli_mesh_create_plant(&def, result, error);
}

static const scene_table *inner_table(const char *name)
{
    const scene_table *deformable = scene_find_key(&scene_root, "deformables")->inner;
    return scene_find_key(scene_find_key(deformable, "mesh")->inner, name)->inner;
}

static pli_status make_mesh(const pli_scene *scene, json_t *mesh, scene_findings *f, const char *path,
                            pli_mesh **result, pli_error *error)
{
    json_t *grid = json_object_get(mesh, "grid"), *sphere = json_object_get(mesh, "sphere");
    json_t *tube = json_object_get(mesh, "tube"), *plant = json_object_get(mesh, "plant");
    if (grid)
        return pli_mesh_create_grid((int32_t)scene_number(grid, "columns", 40), (int32_t)scene_number(grid, "rows", 40),
                                    (float)scene_number(grid, "width", 1.0), (float)scene_number(grid, "depth", 1.0),
                                    (pli_grid_pattern)scene_choice(grid, "pattern", inner_table("grid"), 2), result,
                                    error);
    if (sphere)
        return pli_mesh_create_sphere((int32_t)scene_number(sphere, "subdivisions", 3),
                                      (float)scene_number(sphere, "radius", 0.5), result, error);
    if (tube)
        return pli_mesh_create_tube((int32_t)scene_number(tube, "around", 32), (int32_t)scene_number(tube, "along", 32),
                                    (float)scene_number(tube, "radius", 0.25), (float)scene_number(tube, "length", 1.0),
                                    scene_boolean(tube, "capped", false),
                                    (pli_grid_pattern)scene_choice(tube, "pattern", inner_table("tube"), 2), result,
                                    error);
    return plant ? make_plant(plant, result, error) : read_file(scene, mesh, f, path, result, error);
}

void scene_read_meshes(pli_scene *scene, scene_findings *f)
{
    json_t *deformables = json_object_get(scene->root, "deformables"), *item;
    scene->meshes = calloc(json_array_size(deformables) + 1, sizeof(pli_mesh *));
    scene->mesh_count = scene->meshes ? (int)json_array_size(deformables) : 0;
    if (!scene->meshes)
        scene_find(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
    size_t i;
    json_array_foreach (deformables, i, item) {
        char path[220];
        pli_error error = {0};
        snprintf(path, sizeof path, "deformables[%zu].mesh", i);
        if (!scene->meshes)
            break;
        pli_status status = make_mesh(scene, json_object_get(item, "mesh"), f, path, &scene->meshes[i], &error);
        if (status != PLI_STATUS_OK)
            scene_find(f, status, false, path, "%.380s", error.message);
    }
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3ull;
    return hash;
}

// The content in a canonical form, and what the meshes are: not where they lie.
static uint64_t hash_of(const pli_scene *scene)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    char *text = json_dumps(scene->root, JSON_SORT_KEYS | JSON_COMPACT);
    if (text)
        hash = hash_bytes(hash, text, strlen(text));
    free(text);
    for (int i = 0; i < scene->mesh_count; i++) {
        const pli_topology *t = pli_mesh_topology(scene->meshes[i]);
        hash = hash_bytes(hash, t->positions, 12 * (size_t)t->vertex_count);
        hash = hash_bytes(hash, t->face_vertices, 4 * (size_t)t->corner_count);
    }
    return hash;
}

static void parse(pli_scene *scene, scene_findings *f, const char *text, size_t size)
{
    json_error_t where;
    scene->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (scene->root) {
        if (!scene_places_find(&f->places, text, size))
            scene_find(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
        return;
    }
    pli_scene_message message = {.line = where.line, .column = where.column};
    snprintf(message.text, sizeof message.text, "%.300s", where.text);
    if (f->def->messages && f->count < f->def->message_capacity)
        f->def->messages[f->count] = message;
    f->count++;
    f->errors++;
    f->status = PLI_STATUS_PARSE;
    pli_fail(&f->first, PLI_STATUS_PARSE, "%.150s:%d:%d: %.300s", f->def->path, where.line, where.column, where.text);
}

static void examine(pli_scene *scene, scene_findings *f)
{
    for (int32_t i = 0; i < f->def->setting_count && json_is_object(scene->root); i++)
        scene_apply_setting(f, scene->root, f->def->settings[i]);
    scene_check(f, scene->root);
    if (f->errors == 0)
        scene_read_meshes(scene, f);
    if (f->errors == 0)
        scene_find_ties(scene, f);
}

pli_status pli_scene_load(const pli_scene_load_def *def, pli_scene **result, pli_error *error)
{
    char *text = NULL;
    size_t size = 0;
    *result = NULL;
    if (def->message_count)
        *def->message_count = 0;
    if (def->cookie != LOAD_COOKIE || !def->path)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "the load definition was not made by its default "
                        "function, or names no file");
    pli_status status = pli_file_read(def->path, &text, &size, error);
    if (status != PLI_STATUS_OK)
        return status;
    pli_scene *scene = calloc(1, sizeof *scene);
    scene_findings f = {.def = def};
    if (scene) {
        scene->path = strdup(def->path);
        scene->folder = folder_of(def->path);
        scene->allow_outside = def->allow_outside;
        scene->hooks = def->hooks;
    }
    if (!scene || !scene->path || !scene->folder) {
        free(text);
        pli_scene_destroy(scene);
        return pli_io_fail_memory(error);
    }
    parse(scene, &f, text, size);
    free(text);
    if (scene->root)
        examine(scene, &f);
    scene_places_release(&f.places);
    if (def->message_count)
        *def->message_count = f.count;
    if (f.errors > 0) {
        pli_scene_destroy(scene);
        if (error)
            *error = f.first;
        return f.status;
    }
    scene->hash = hash_of(scene);
    *result = scene;
    return pli_succeed(error);
}

void pli_scene_destroy(pli_scene *scene)
{
    if (!scene)
        return;
    for (int i = 0; i < scene->mesh_count; i++)
        pli_mesh_destroy(scene->meshes[i]);
    scene_release_ties(scene);
    free(scene->meshes);
    free(scene->folder);
    free(scene->path);
    json_decref(scene->root);
    free(scene);
}

uint64_t pli_scene_hash(const pli_scene *scene) { return scene->hash; }
