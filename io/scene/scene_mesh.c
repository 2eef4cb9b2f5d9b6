// Reads and generates the meshes of a scene: of deformables, and of colliders with their animations.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "scene/scene_mesh.h"

#include "files/file.h"
#include "meshes/mesh_file.h"
#include "soup/attribute_build.h"
#include "scene/scene_animation.h"
#include "scene_format/scene_values.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *scene_file(const pli_scene *scene, const char *name, scene_diagnostics *f, const char *path)
{
    bool outside = false;
    if (!scene->folder) {
        scene_report(f, PLI_STATUS_FILE, false, path,
                     "the file '%.100s' cannot be found: the scene is a text; give its path or a file source", name);
        return NULL;
    }
    char *found = pli_place_find(&scene->place, scene->folder, name, &outside);
    if (outside)
        scene_report(f, PLI_STATUS_FILE, false, path,
                     "'%s' is outside the scene's folder; put it inside, or allow it with "
                     "--allow-outside",
                     name);
    else if (!found && errno == ENOMEM)
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, path, "out of memory");
    else if (!found)
        scene_report(f, PLI_STATUS_FILE, false, path, "no file '%s' in %.120s", name, scene->folder);
    return found;
}

// A mesh of the application; the scene adds its own reference, so that all meshes are released alike.
static pli_status find_host_mesh(const pli_scene *scene, const char *name, pli_mesh **result, pli_error *error)
{
    for (int32_t i = 0; i < scene->host_mesh_count; i++)
        if (scene->host_meshes[i].name && scene->host_meshes[i].mesh && strcmp(scene->host_meshes[i].name, name) == 0) {
            *result = (pli_mesh *)pli_mesh_retain(scene->host_meshes[i].mesh);
            return pli_succeed(error);
        }
    return pli_fail(error, PLI_STATUS_NOT_FOUND,
                    "no mesh of the host is called '%.80s'; give it in pli_scene_load_def.meshes", name);
}

// A large file is reported before it is read.
static void tell_reading(const pli_scene *scene, const char *name, const char *file)
{
    enum { LARGE = 16 };
    struct stat info;
    char line[200];
    if (scene->place.source || !scene->hooks.log || stat(file, &info) != 0 || info.st_size < LARGE * 1000000)
        return;
    snprintf(line, sizeof line, "reading %.120s, %.0f MB", name, 1e-6 * (double)info.st_size);
    scene->hooks.log(scene->hooks.user, PLI_LOG_INFO, line);
}

static pli_status read_file(const pli_scene *scene, json_t *mesh, scene_diagnostics *f, const char *path,
                            pli_mesh **result, pli_mesh_attributes **attributes, pli_error *error)
{
    char inner[220];
    snprintf(inner, sizeof inner, "%.180s.file", path);
    char *file = scene_file(scene, scene_text(mesh, "file", ""), f, inner);
    if (!file)
        return PLI_STATUS_OK;
    pli_mesh_import_def import = pli_mesh_import_def_default();
    import.scale = (float)scene_number(mesh, "scale", 1.0);
    import.weld = scene_boolean(mesh, "weld", false);
    import.policy = scene_boolean(mesh, "repair", false) ? PLI_MESH_REPAIR : PLI_MESH_REFUSE;
    import.hooks = scene->hooks;
    import.attributes = attributes;
    tell_reading(scene, scene_text(mesh, "file", ""), file);
    pli_status status = pli_mesh_read_at(&scene->place, file, &import, result, NULL, error);
    free(file);
    return status;
}

static pli_status make_plant(const pli_scene *scene, json_t *plant, pli_mesh **result, pli_error *error)
{
    pli_plant_def def = pli_plant_def_default();
    def.hooks = scene->hooks;
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

// A grid also has texture coordinates, so that fabrics can be shown on it wherever it is drawn.
static pli_status make_grid(const pli_scene *scene, json_t *grid, pli_mesh **result, pli_mesh_attributes **attributes,
                            pli_error *error)
{
    pli_status status = pli_mesh_create_grid_with(
        &scene->hooks, (int32_t)scene_number(grid, "columns", 40), (int32_t)scene_number(grid, "rows", 40),
        (float)scene_number(grid, "width", 1.0), (float)scene_number(grid, "depth", 1.0),
        (pli_grid_pattern)scene_choice(grid, "pattern", inner_table("grid"), 2), result, error);
    if (status != PLI_STATUS_OK || !attributes)
        return status;
    *attributes = pli_attributes_of_sheet(*result);
    if (*attributes)
        return status;
    pli_mesh_destroy(*result);
    *result = NULL;
    return pli_io_fail_memory(error);
}

static pli_status make_mesh(const pli_scene *scene, json_t *mesh, scene_diagnostics *f, const char *path,
                            pli_mesh **result, pli_mesh_attributes **attributes, pli_error *error)
{
    const char *name = scene_text(mesh, "name", NULL);
    if (name)
        return find_host_mesh(scene, name, result, error);
    json_t *grid = json_object_get(mesh, "grid"), *sphere = json_object_get(mesh, "sphere");
    json_t *tube = json_object_get(mesh, "tube"), *plant = json_object_get(mesh, "plant");
    if (grid)
        return make_grid(scene, grid, result, attributes, error);
    if (sphere)
        return pli_mesh_create_sphere_with(&scene->hooks, (int32_t)scene_number(sphere, "subdivisions", 3),
                                           (float)scene_number(sphere, "radius", 0.5), result, error);
    if (tube)
        return pli_mesh_create_tube_with(
            &scene->hooks, (int32_t)scene_number(tube, "around", 32), (int32_t)scene_number(tube, "along", 32),
            (float)scene_number(tube, "radius", 0.25), (float)scene_number(tube, "length", 1.0),
            scene_boolean(tube, "capped", false),
            (pli_grid_pattern)scene_choice(tube, "pattern", inner_table("tube"), 2), result, error);
    return plant ? make_plant(scene, plant, result, error) : read_file(scene, mesh, f, path, result, attributes, error);
}

static pli_mesh *make_with(const pli_scene *scene, json_t *json, scene_diagnostics *f, const char *path,
                           pli_mesh_attributes **attributes)
{
    pli_mesh *mesh = NULL;
    pli_error error = {0};
    pli_status status = make_mesh(scene, json, f, path, &mesh, attributes, &error);
    if (status != PLI_STATUS_OK)
        scene_report(f, status, false, path, "%.380s", error.message);
    return mesh;
}

pli_mesh *scene_make_mesh(const pli_scene *scene, json_t *json, scene_diagnostics *f, const char *path)
{
    return make_with(scene, json, f, path, NULL);
}

static void read_deformable_meshes(pli_scene *scene, scene_diagnostics *f)
{
    json_t *deformables = json_object_get(scene->root, "deformables"), *item;
    scene->meshes = calloc(json_array_size(deformables) + 1, sizeof(pli_mesh *));
    scene->attributes = calloc(json_array_size(deformables) + 1, sizeof(pli_mesh_attributes *));
    scene->mesh_count = scene->meshes && scene->attributes ? (int)json_array_size(deformables) : 0;
    size_t i;
    json_array_foreach (deformables, i, item) {
        char path[220];
        snprintf(path, sizeof path, "deformables[%zu].mesh", i);
        if (scene->mesh_count > 0)
            scene->meshes[i] = make_with(scene, json_object_get(item, "mesh"), f, path, &scene->attributes[i]);
    }
}

static void read_collider_meshes(pli_scene *scene, scene_diagnostics *f)
{
    json_t *colliders = json_object_get(scene->root, "colliders"), *item;
    scene->collider_meshes = calloc(json_array_size(colliders) + 1, sizeof *scene->collider_meshes);
    scene->collider_mesh_count = scene->collider_meshes ? (int)json_array_size(colliders) : 0;
    size_t i;
    json_array_foreach (colliders, i, item) {
        char path[220];
        json_t *mesh = json_object_get(item, "mesh"), *animation = json_object_get(item, "animation");
        snprintf(path, sizeof path, "colliders[%zu].mesh", i);
        if (scene->collider_meshes && mesh)
            scene->collider_meshes[i].mesh = scene_make_mesh(scene, mesh, f, path);
        snprintf(path, sizeof path, "colliders[%zu].animation", i);
        if (scene->collider_meshes && animation && (!mesh || scene->collider_meshes[i].mesh))
            scene_read_animation(scene, item, &scene->collider_meshes[i], f, path);
    }
}

void scene_read_meshes(pli_scene *scene, scene_diagnostics *f)
{
    read_deformable_meshes(scene, f);
    read_collider_meshes(scene, f);
    if (!scene->meshes || !scene->attributes || !scene->collider_meshes)
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
}

void scene_release_meshes(pli_scene *scene)
{
    for (int i = 0; i < scene->mesh_count; i++) {
        pli_mesh_destroy(scene->meshes[i]);
        pli_mesh_attributes_destroy(scene->attributes[i]);
    }
    for (int i = 0; i < scene->collider_mesh_count; i++) {
        pli_mesh_destroy(scene->collider_meshes[i].mesh);
        free(scene->collider_meshes[i].frames);
    }
    free(scene->meshes);
    free(scene->attributes);
    free(scene->collider_meshes);
}

const pli_mesh *pli_scene_mesh(const pli_scene *scene, int32_t deformable)
{
    return deformable >= 0 && deformable < scene->mesh_count ? scene->meshes[deformable] : NULL;
}

const pli_mesh_attributes *pli_scene_mesh_attributes(const pli_scene *scene, int32_t deformable)
{
    return deformable >= 0 && deformable < scene->mesh_count ? scene->attributes[deformable] : NULL;
}
