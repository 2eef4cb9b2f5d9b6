// Creates the world of a scene, and steps it. Objects are created in the order of the file: deformables with their constraint sets,
// then bodies with their shapes, then attachments, then colliders. Indices in the world therefore follow from the file.
#include "files/io_error.h"
#include "files/user_plugin.h"
#include "scene/scene_animation.h"
#include "scene/scene_attachments.h"
#include "scene/scene_bodies.h"
#include "scene/scene_paint.h"
#include "scene/scene_texture.h"
#include "scene_format/scene_paths.h"
#include "scene_format/scene_values.h"

#include <pliant/material.h>

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

pli_scene_world_def pli_scene_world_def_default(void) { return (pli_scene_world_def){.hooks = pli_hooks_default()}; }

static bool up_is_z(const pli_scene *scene) { return strcmp(scene_text(scene->root, "up", "y"), "z") == 0; }

static pli_settings settings_of(const pli_scene *scene)
{
    pli_settings s = pli_world_def_default().settings;
    if (up_is_z(scene))
        s.gravity = (pli_vec3){0, 0, -9.81f};
    scene_properties(json_object_get(scene->root, "settings"), pli_descriptor_group_find("settings"), &s);
    scene_properties(json_object_get(scene->root, "contact"), pli_descriptor_group_find("contact"), &s);
    return s;
}

// Integers between two keyframes are rounded towards zero.
static pli_status set_setting(pli_settings *s, const char *name, json_t *pairs, double time, pli_error *error)
{
    const pli_property *property = pli_descriptor_find(pli_descriptor_group_find("settings"), name);
    double values[3] = {scene_pairs_at(pairs, time, 0)};
    if (property->kind == PLI_PROPERTY_VECTOR)
        for (size_t k = 1; k < 3; k++)
            values[k] = scene_pairs_at(pairs, time, k);
    if (property->kind == PLI_PROPERTY_INTEGER)
        values[0] = trunc(values[0]);
    return pli_property_write(property, s, values, error);
}

static double parameter_value(json_t *value, const pli_property *parameter)
{
    if (json_is_boolean(value))
        return json_is_true(value);
    return parameter->choices && json_is_string(value) ? pli_choice_find(parameter->choices, json_string_value(value))
                                                       : json_number_value(value);
}

static int32_t *listed_particles(json_t *json, int32_t *count)
{
    json_t *list = json_object_get(json, "particles"), *item;
    *count = (int32_t)json_array_size(list);
    int32_t *particles = list ? malloc(4 * (size_t)*count + 4) : NULL;
    size_t i;
    json_array_foreach (list, i, item)
        if (particles)
            particles[i] = (int32_t)json_integer_value(item);
    return particles;
}

// Progress of creating a world, in vertices: each set and each mesh counts the vertices of its deformable or collider. The application
// is informed if it takes a second or more.
typedef struct making {
    const pli_hooks *hooks;
    int64_t done, whole;
} making;

// Hosts hear of it where it takes a second or more.
static void tell_made(making *m, int64_t vertices)
{
    enum { LARGE = 400000 };
    char line[60];
    m->done += vertices;
    if (m->whole < LARGE || !m->hooks->log || vertices == 0)
        return;
    snprintf(line, sizeof line, "making the world: %d %%", (int)(100 * m->done / m->whole));
    m->hooks->log(m->hooks->user, PLI_LOG_INFO, line);
}

static int64_t vertices_of(const pli_mesh *mesh) { return mesh ? pli_mesh_topology(mesh)->vertex_count : 0; }

static making begin_making(const pli_scene *scene, const pli_hooks *hooks)
{
    making m = {hooks, 0, 0};
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "deformables"), i, item)
        m.whole += vertices_of(scene->meshes[i]) * (1 + (int64_t)json_array_size(json_object_get(item, "constraints")));
    for (int32_t k = 0; k < scene->collider_mesh_count; k++)
        m.whole += vertices_of(scene->collider_meshes[k].mesh);
    return m;
}

static pli_status make_set(const pli_scene *scene, pli_world *world, size_t i, pli_deformable deformable, json_t *json,
                           pli_error *error)
{
    const pli_constraint_type *type = scene_find_type(scene->plugins, scene_text(json, "type", ""));
    pli_parameter_value values[PLI_PARAMETERS_MAX];
    pli_constraints_def def = pli_constraints_def_default();
    const pli_property *parameter;
    for (int32_t k = 0; (parameter = pli_constraint_type_parameter(type, k)); k++) {
        json_t *value = json_object_get(json, parameter->name);
        if (value)
            values[def.parameter_count++] = (pli_parameter_value){parameter->name, parameter_value(value, parameter)};
    }
    int32_t listed;
    int32_t *particles = listed_particles(json, &listed);
    def.deformable = deformable;
    def.type = type->name;
    def.name = scene_text(json, "name", NULL);
    def.generator = scene_text(json, "generator", NULL);
    def.parameters = values;
    def.particles = particles;
    def.constraint_count = particles ? listed / type->cardinality : 0;
    pli_constraints set;
    pli_status status = listed > 0 && !particles ? pli_io_fail_memory(error)
                                                 : pli_constraints_create(world, &def, &set, error);
    free(particles);
    const double stiffness = scene_number(json, "tensile_stiffness", 0.0);
    if (status == PLI_STATUS_OK && stiffness > 0.0)
        status = pli_constraints_set_tensile_stiffness(world, set, stiffness, error);
    if (status == PLI_STATUS_OK)
        status = scene_set_warp(scene, world, i, set, error);
    return status == PLI_STATUS_OK ? scene_paint_set(scene, world, i, json, set, error) : status;
}

static pli_status make_deformable(const pli_scene *scene, pli_world *world, size_t number, json_t *json, making *m,
                                  pli_error *error)
{
    pli_deformable_def def = pli_deformable_def_default();
    def.name = scene_text(json, "name", NULL);
    def.mesh = scene->meshes[number];
    def.pose = scene_pose(json_object_get(json, "pose"));
    scene_properties(json, pli_descriptor_group_find("deformable"), &def);
    scene_properties(json_object_get(json, "tearing"), pli_descriptor_group_find("tearing"), &def.tearing);
    scene_properties(json_object_get(json, "plate"), pli_descriptor_group_find("plate"), &def.plate);
    pli_deformable deformable;
    pli_status status = pli_deformable_create(world, &def, &deformable, error);
    tell_made(m, vertices_of(def.mesh));
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(json, "constraints"), i, item) {
        if (status == PLI_STATUS_OK)
            status = make_set(scene, world, number, deformable, item, error);
        tell_made(m, vertices_of(def.mesh));
    }
    return status == PLI_STATUS_OK ? scene_paint_deformable(scene, world, number, deformable, error) : status;
}

static pli_status make_attachment(const pli_scene *scene, pli_world *world, const scene_attachment *attachment,
                                  pli_error *error)
{
    pli_attachment_def def = pli_attachment_def_default();
    def.deformable = pli_world_deformable_at(world, attachment->deformable);
    def.particles = attachment->particles;
    def.particle_count = attachment->count;
    def.pose.position = attachment->centre;
    scene_properties(attachment->json, pli_descriptor_group_find("attachment"), &def);
    def.body = scene_body_of(scene, world, attachment->json);
    pli_attachment handle;
    return pli_attachment_create(world, &def, &handle, error);
}

static pli_status make_collider(const pli_scene *scene, pli_world *world, pli_ode *ode, size_t i, json_t *json,
                                pli_error *error)
{
    pli_collider_def def = scene_collider_def(json, json, scene->collider_meshes[i].mesh);
    def.pose = scene_motion_at(json_object_get(json, "motion"), scene_pose(json_object_get(json, "pose")),
                               scene_pose(json_object_get(json, "pose")).position, 0.0);
    def.body = scene_body_of(scene, world, json);
    pli_collider collider;
    pli_status status = pli_collider_create(world, &def, &collider, error);
    bool obstacle = ode && !def.body.id && pli_shape_at((int32_t)def.shape)->convex;
    return status == PLI_STATUS_OK && obstacle ? scene_add_obstacle(ode, collider, error) : status;
}

static pli_status fill_world(const pli_scene *scene, pli_world *world, making *m, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    pli_ode *ode = NULL;
    char path[SCENE_BODY_PATH];
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "deformables"), i, item)
        if (status == PLI_STATUS_OK)
            status = make_deformable(scene, world, i, item, m, error);
    if (status == PLI_STATUS_OK)
        status = scene_make_bodies(scene, world, &ode, path, error);
    for (int k = 0; k < scene->attachment_count && status == PLI_STATUS_OK; k++)
        status = make_attachment(scene, world, &scene->attachments[k], error);
    json_array_foreach (json_object_get(scene->root, "colliders"), i, item) {
        if (status == PLI_STATUS_OK)
            status = make_collider(scene, world, ode, i, item, error);
        tell_made(m, vertices_of(scene->collider_meshes[i].mesh));
    }
    return status;
}

pli_status pli_scene_create_world(const pli_scene *scene, const pli_scene_world_def *def, pli_world **world,
                                  pli_error *error)
{
    *world = NULL;
    pli_world_def w = pli_world_def_default();
    w.settings = settings_of(scene);
    scene_properties(scene->root, pli_descriptor_group_find("world"), &w);
    w.thread_count = def->thread_count > 0 ? def->thread_count : w.thread_count;
    w.simd = def->simd;
    w.hooks = def->hooks;
    w.tasks = def->tasks;
    pli_status status = pli_world_create(&w, world, error);
    for (int32_t i = 0; i < scene->plugins.count && status == PLI_STATUS_OK; i++)
        status = pli_plugin_register(scene->plugins.rows[i], *world, error);
    if (status == PLI_STATUS_OK && def->cooked)
        status = pli_world_set_cooked(*world, def->cooked, (size_t)def->cooked_size, error);
    making m = begin_making(scene, &w.hooks);
    if (status == PLI_STATUS_OK)
        status = fill_world(scene, *world, &m, error);
    if (status == PLI_STATUS_OK)
        status = pli_world_set_cooked(*world, NULL, 0, error);
    if (status != PLI_STATUS_OK) {
        pli_world_destroy(*world);
        *world = NULL;
    }
    return status;
}

// Index of the constraint set of a JSON object: sets are numbered through the file.
static int32_t set_index(const pli_scene *scene, const json_t *wanted)
{
    int32_t index = 0;
    size_t d, i;
    json_t *deformable, *item;
    json_array_foreach (json_object_get(scene->root, "deformables"), d, deformable) {
        json_array_foreach (json_object_get(deformable, "constraints"), i, item) {
            if (item == wanted)
                return index;
            index++;
        }
    }
    return -1;
}

static pli_status apply_keyframe(const pli_scene *scene, pli_world *world, json_t *keyframe, double time,
                                 pli_error *error)
{
    char last[64];
    json_t *parent;
    const char *path = scene_text(keyframe, "path", "");
    json_t *keys = json_object_get(keyframe, "keys");
    pli_settings settings = pli_world_settings(world);
    if (strncmp(path, "settings.", 9) == 0) {
        pli_status status = set_setting(&settings, path + 9, keys, time, error);
        return status == PLI_STATUS_OK ? pli_world_set_settings(world, &settings, error) : status;
    }
    scene_at(scene->root, path, &parent, last);
    return pli_constraints_set_parameter(world, pli_world_constraints_at(world, set_index(scene, parent)), last,
                                         scene_pairs_at(keys, time, 0), error);
}

static pli_status move_attachments(const pli_scene *scene, pli_world *world, double now, double then, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    int32_t alive = 0;
    for (int k = 0; k < scene->attachment_count && status == PLI_STATUS_OK; k++) {
        const scene_attachment *attachment = &scene->attachments[k];
        if (attachment->until <= now)
            continue;
        pli_attachment handle = pli_world_attachment_at(world, alive++);
        pli_transform start = {attachment->centre, {0, 0, 0, 1}};
        pli_transform pose = scene_motion_at(json_object_get(attachment->json, "motion"), start, attachment->centre,
                                             then);
        if (!json_object_get(attachment->json, "body"))
            status = pli_attachment_set_pose(world, handle, pose, error);
    }
    return status;
}

static pli_status animate(pli_world *world, pli_collider collider, const scene_collider_mesh *model, double then,
                          pli_error *error)
{
    int32_t count = model->vertex_count;
    float *positions = malloc(3 * (size_t)count * sizeof *positions);
    if (!positions)
        return pli_io_fail_memory(error);
    scene_animation_at(model, then, positions);
    pli_status status = pli_collider_set_vertices(world, collider, positions, count, error);
    free(positions);
    return status;
}

static pli_status move_colliders(const pli_scene *scene, pli_world *world, double then, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "colliders"), i, item) {
        json_t *motion = json_object_get(item, "motion");
        pli_transform start = scene_pose(json_object_get(item, "pose"));
        pli_collider collider = pli_world_collider_at(world, scene->body_shape_count + (int32_t)i);
        if (motion && status == PLI_STATUS_OK)
            status = pli_collider_set_pose(world, collider, scene_motion_at(motion, start, start.position, then),
                                           error);
        if (scene->collider_meshes[i].frames && status == PLI_STATUS_OK)
            status = animate(world, collider, &scene->collider_meshes[i], then, error);
    }
    return status;
}

// Destroys the attachments whose release time is in (before, now].
static pli_status release_attachments(const pli_scene *scene, pli_world *world, double before, double now,
                                      pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    int32_t index = 0;
    for (int k = 0; k < scene->attachment_count && status == PLI_STATUS_OK; k++) {
        double until = scene->attachments[k].until;
        if (until <= before)
            continue;
        if (until <= now)
            status = pli_attachment_destroy(world, pli_world_attachment_at(world, index), error);
        else
            index++;
    }
    return status;
}

pli_status pli_scene_seek(const pli_scene *scene, pli_world *world, int32_t frame, pli_error *error)
{
    double now = (frame - 1) / pli_scene_frames_per_second(scene);
    return frame > 0 ? release_attachments(scene, world, -1.0, now, error) : pli_succeed(error);
}

pli_status pli_scene_step(const pli_scene *scene, pli_world *world, int32_t frame, pli_error *error)
{
    double rate = pli_scene_frames_per_second(scene), now = frame / rate, then = (frame + 1) / rate;
    double before = frame > 0 ? (frame - 1) / rate : -1.0;
    pli_status status = release_attachments(scene, world, before, now, error);
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "keyframes"), i, item)
        if (status == PLI_STATUS_OK)
            status = apply_keyframe(scene, world, item, now, error);
    if (status == PLI_STATUS_OK)
        status = move_attachments(scene, world, now, then, error);
    if (status == PLI_STATUS_OK)
        status = move_colliders(scene, world, then, error);
    return status == PLI_STATUS_OK ? pli_world_step(world, (float)(1.0 / rate), error) : status;
}
