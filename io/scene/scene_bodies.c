// Collects the shapes of rigid bodies, and finds bodies by name.
#include "scene/scene_bodies.h"

#include "scene/scene_mesh.h"
#include "scene_format/scene_rules_bodies.h"
#include "scene_format/scene_values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pli_rigid_body scene_body_of(const pli_scene *scene, const pli_world *world, json_t *object)
{
    const char *name = scene_text(object, "body", NULL);
    return name ? pli_world_rigid_body_at(world, scene_body_index(scene->root, name)) : (pli_rigid_body){0};
}

static void add_body_shape(pli_scene *scene, scene_diagnostics *f, json_t *json, json_t *body, const char *before)
{
    char path[SCENE_BODY_PATH];
    json_t *mesh = json_object_get(json, "mesh");
    scene_body_shape *part = &scene->body_shapes[scene->body_shape_count++];
    *part = (scene_body_shape){json, body, NULL};
    snprintf(path, sizeof path, "%.150s.mesh", before);
    if (mesh)
        part->mesh = scene_make_mesh(scene, mesh, f, path);
}

static void add_body_shapes(pli_scene *scene, scene_diagnostics *f, json_t *body, size_t b)
{
    char path[SCENE_BODY_PATH];
    json_t *shapes = json_object_get(body, "shapes"), *shape;
    size_t i;
    json_array_foreach (shapes, i, shape) {
        snprintf(path, sizeof path, "bodies[%zu].shapes[%zu]", b, i);
        add_body_shape(scene, f, shape, body, path);
    }
    snprintf(path, sizeof path, "bodies[%zu]", b);
    if (!shapes)
        add_body_shape(scene, f, body, body, path);
}

static void try_bodies(const pli_scene *scene, scene_diagnostics *f)
{
    pli_world_def def = pli_world_def_default();
    pli_world *world = NULL;
    pli_ode *ode;
    pli_error error;
    char path[SCENE_BODY_PATH] = "bodies";
    pli_status status = pli_world_create(&def, &world, &error);
    if (status == PLI_STATUS_OK)
        status = scene_make_bodies(scene, world, &ode, path, &error);
    if (status != PLI_STATUS_OK)
        scene_report(f, status, false, path, "%.380s", error.message);
    pli_world_destroy(world);
}

void scene_find_body_shapes(pli_scene *scene, scene_diagnostics *f)
{
    json_t *bodies = json_object_get(scene->root, "bodies"), *body;
    size_t count = 0, i;
    json_array_foreach (bodies, i, body)
        count += 1 + json_array_size(json_object_get(body, "shapes"));
    scene->body_shapes = calloc(count + 1, sizeof *scene->body_shapes);
    if (!scene->body_shapes) {
        scene_report(f, PLI_STATUS_OUT_OF_MEMORY, false, "", "out of memory");
        return;
    }
    json_array_foreach (bodies, i, body)
        add_body_shapes(scene, f, body, i);
    if (f->errors == 0 && count > 0)
        try_bodies(scene, f);
}

void scene_release_body_shapes(pli_scene *scene)
{
    for (int i = 0; i < scene->body_shape_count; i++)
        pli_mesh_destroy(scene->body_shapes[i].mesh);
    free(scene->body_shapes);
}
