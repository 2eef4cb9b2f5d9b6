// Reads and generates the meshes of a scene: of deformables, and of colliders with their animations.
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include "scene/scene_mesh.h"

#include "files/file.h"
#include "scene/scene_animation.h"
#include "scene_format/scene_values.h"

#include <pliant/mesh_file.h>

#include <stdlib.h>
#include <string.h>

char *scene_file(const pli_scene *scene, const char *name, scene_diagnostics *f, const char *path)
{
    char *joined = name[0] == '/' ? strdup(name) : pli_file_join(scene->folder, name);
    char *real = joined ? realpath(joined, NULL) : NULL;
    free(joined);
    if (!real) {
        scene_report(f, PLI_STATUS_FILE, false, path, "no file '%s' in %.120s", name, scene->folder);
        return NULL;
    }
    size_t length = strlen(scene->folder);
    bool inside = strncmp(real, scene->folder, length) == 0 && (real[length] == '/' || length == 1);
    if (inside || scene->allow_outside)
        return real;
    scene_report(f, PLI_STATUS_FILE, false, path,
                 "'%s' is outside the scene's folder; put it inside, or allow it with "
                 "--allow-outside",
                 name);
    free(real);
    return NULL;
}

static pli_status read_file(const pli_scene *scene, json_t *mesh, scene_diagnostics *f, const char *path,
                            pli_mesh **result, pli_error *error)
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
    pli_status status = pli_mesh_read(file, &import, result, NULL, error);
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

static pli_status make_mesh(const pli_scene *scene, json_t *mesh, scene_diagnostics *f, const char *path,
                            pli_mesh **result, pli_error *error)
{
    json_t *grid = json_object_get(mesh, "grid"), *sphere = json_object_get(mesh, "sphere");
    json_t *tube = json_object_get(mesh, "tube"), *plant = json_object_get(mesh, "plant");
    if (grid)
        return pli_mesh_create_grid_with(
            &scene->hooks, (int32_t)scene_number(grid, "columns", 40), (int32_t)scene_number(grid, "rows", 40),
            (float)scene_number(grid, "width", 1.0), (float)scene_number(grid, "depth", 1.0),
            (pli_grid_pattern)scene_choice(grid, "pattern", inner_table("grid"), 2), result, error);
    if (sphere)
        return pli_mesh_create_sphere_with(&scene->hooks, (int32_t)scene_number(sphere, "subdivisions", 3),
                                           (float)scene_number(sphere, "radius", 0.5), result, error);
    if (tube)
        return pli_mesh_create_tube_with(
            &scene->hooks, (int32_t)scene_number(tube, "around", 32), (int32_t)scene_number(tube, "along", 32),
            (float)scene_number(tube, "radius", 0.25), (float)scene_number(tube, "length", 1.0),
            scene_boolean(tube, "capped", false),
            (pli_grid_pattern)scene_choice(tube, "pattern", inner_table("tube"), 2), result, error);
    return plant ? make_plant(scene, plant, result, error) : read_file(scene, mesh, f, path, result, error);
}

pli_mesh *scene_make_mesh(const pli_scene *scene, json_t *json, scene_diagnostics *f, const char *path)
{
    pli_mesh *mesh = NULL;
    pli_error error = {0};
    pli_status status = make_mesh(scene, json, f, path, &mesh, &error);
    if (status != PLI_STATUS_OK)
        scene_report(f, status, false, path, "%.380s", error.message);
    return mesh;
}

static void read_deformable_meshes(pli_scene *scene, scene_diagnostics *f)
{
    json_t *deformables = json_object_get(scene->root, "deformables"), *item;
    scene->meshes = calloc(json_array_size(deformables) + 1, sizeof(pli_mesh *));
    scene->mesh_count = scene->meshes ? (int)json_array_size(deformables) : 0;
    size_t i;
    json_array_foreach (deformables, i, item) {
        char path[220];
        snprintf(path, sizeof path, "deformables[%zu].mesh", i);
        if (scene->meshes)
            scene->meshes[i] = scene_make_mesh(scene, json_object_get(item, "mesh"), f, path);
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
    if (!scene->meshes || !scene->collider_meshes)
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
}

void scene_release_meshes(pli_scene *scene)
{
    for (int i = 0; i < scene->mesh_count; i++)
        pli_mesh_destroy(scene->meshes[i]);
    for (int i = 0; i < scene->collider_mesh_count; i++) {
        pli_mesh_destroy(scene->collider_meshes[i].mesh);
        free(scene->collider_meshes[i].frames);
    }
    free(scene->meshes);
    free(scene->collider_meshes);
}
