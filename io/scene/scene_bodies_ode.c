// Creates the rigid bodies and joints of a scene in ODE through libpliant_ode, which is loaded when a scene has bodies.
#include "scene/scene_bodies.h"

#include "files/io_error.h"
#include "scene_format/scene_rules_bodies.h"
#include "scene_format/scene_table.h"
#include "scene_format/scene_values.h"
#include "support/library.h"

#include <pliant/math.h>
#include <pliant/ode.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ODE_FUNCTIONS(NAME)                                                                                            \
    NAME(pli_ode_def_default)                                                                                          \
    NAME(pli_ode_body_def_default)                                                                                     \
    NAME(pli_ode_joint_def_default)                                                                                    \
    NAME(pli_ode_create)                                                                                               \
    NAME(pli_ode_body_create)                                                                                          \
    NAME(pli_ode_joint_create)                                                                                         \
    NAME(pli_ode_collider_add)
#define POINTER(name) __typeof__(&name) name;

// Functions of libpliant_ode, with the names from its header.
typedef struct ode_functions {
    ODE_FUNCTIONS(POINTER)
} ode_functions;

static bool find_function(const char *name, void *function, pli_error *error)
{
    void *symbol = pli_library_symbol("pliant_ode", name, "rigid bodies",
                                      "the Open Dynamics Engine (Debian: libode-dev)", error);
    memcpy(function, &symbol, sizeof symbol); // ISO C does not convert data pointers to function pointers.
    return symbol != NULL;
}

static pli_status load_functions(ode_functions *ode, pli_error *error)
{
#define FIND(name) find_function(#name, &ode->name, error) &&
    return ODE_FUNCTIONS(FIND) true ? PLI_STATUS_OK : PLI_STATUS_UNSUPPORTED;
}

static const float degree = 0.01745329251994330f;

// Creates a body from its shapes, which are consecutive in the list.
static pli_status make_body(const ode_functions *f, pli_ode *ode, json_t *json, const scene_body_shape *parts,
                            int count, pli_error *error)
{
    pli_ode_body_def def = f->pli_ode_body_def_default();
    pli_collider_def *shapes = calloc((size_t)count + 1, sizeof *shapes);
    if (!shapes)
        return pli_io_fail_memory(error);
    for (int i = 0; i < count; i++) {
        shapes[i] = scene_collider_def(parts[i].json, json, parts[i].mesh);
        if (parts[i].json != json)
            shapes[i].pose = scene_pose(json_object_get(parts[i].json, "pose"));
    }
    def.name = scene_text(json, "name", NULL);
    def.shapes = shapes;
    def.shape_count = count;
    def.mass = (float)scene_number(json, "mass", (double)def.mass);
    def.density = (float)scene_number(json, "density", (double)def.density);
    def.pose = scene_pose(json_object_get(json, "pose"));
    def.velocity = scene_vector(json, "velocity", def.velocity);
    def.angular_velocity = pli_scale(scene_vector(json, "angular_velocity", def.angular_velocity), degree);
    def.fixed = scene_boolean(json, "fixed", def.fixed);
    def.mass_scale = (float)scene_number(json, "mass_scale", (double)def.mass_scale);
    pli_rigid_body body;
    pli_status status = f->pli_ode_body_create(ode, &def, &body, error);
    free(shapes);
    return status;
}

static pli_status make_joint(const ode_functions *f, const pli_scene *scene, pli_world *world, pli_ode *ode,
                             json_t *json, pli_error *error)
{
    const scene_table *table = scene_find_key(&scene_root, "joints")->inner;
    pli_ode_joint_def def = f->pli_ode_joint_def_default();
    int index = scene_body_index(scene->root, scene_text(json, "body", ""));
    json_t *body = json_array_get(json_object_get(scene->root, "bodies"), (size_t)index);
    json_t *motor = json_object_get(json, "motor");
    const char *to = scene_text(json, "to", NULL);
    def.type = (pli_ode_joint_type)scene_choice(json, "type", table, PLI_ODE_BALL);
    float unit = def.type == PLI_ODE_HINGE ? degree : 1.0f, limits[2];
    def.body = pli_world_rigid_body_at(world, index);
    if (to)
        def.other_body = pli_world_rigid_body_at(world, scene_body_index(scene->root, to));
    def.anchor = scene_vector(json, "anchor", scene_pose(json_object_get(body, "pose")).position);
    def.axis = scene_vector(json, "axis", def.axis);
    def.second_axis = scene_vector(json, "second_axis", def.second_axis);
    if (scene_numbers(json, "limits", limits, 2)) {
        def.minimum = unit * limits[0];
        def.maximum = unit * limits[1];
    }
    def.motor_speed = unit * (float)scene_number(motor, "speed", 0.0);
    def.motor_force = (float)scene_number(motor, "force", 0.0);
    pli_ode_joint joint;
    return f->pli_ode_joint_create(ode, &def, &joint, error);
}

static pli_status make_all(const ode_functions *f, const pli_scene *scene, pli_world *world, pli_ode *ode,
                           char path[SCENE_BODY_PATH], pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    const scene_body_shape *part = scene->body_shapes;
    size_t i;
    json_t *item;
    json_array_foreach (json_object_get(scene->root, "bodies"), i, item) {
        const scene_body_shape *first = part;
        while (part < scene->body_shapes + scene->body_shape_count && part->body == item)
            part++;
        if (status != PLI_STATUS_OK)
            break;
        snprintf(path, SCENE_BODY_PATH, "bodies[%zu]", i);
        status = make_body(f, ode, item, first, (int)(part - first), error);
    }
    json_array_foreach (json_object_get(scene->root, "joints"), i, item) {
        if (status != PLI_STATUS_OK)
            break;
        snprintf(path, SCENE_BODY_PATH, "joints[%zu]", i);
        status = make_joint(f, scene, world, ode, item, error);
    }
    return status;
}

pli_status scene_make_bodies(const pli_scene *scene, pli_world *world, pli_ode **ode, char path[SCENE_BODY_PATH],
                             pli_error *error)
{
    ode_functions f;
    *ode = NULL;
    if (scene->body_shape_count == 0)
        return pli_succeed(error);
    snprintf(path, SCENE_BODY_PATH, "bodies");
    pli_status status = load_functions(&f, error);
    if (status != PLI_STATUS_OK)
        return status;
    const pli_ode_def def = f.pli_ode_def_default();
    status = f.pli_ode_create(world, &def, ode, error);
    return status == PLI_STATUS_OK ? make_all(&f, scene, world, *ode, path, error) : status;
}

pli_status scene_add_obstacle(pli_ode *ode, pli_collider collider, pli_error *error)
{
    ode_functions f;
    pli_status status = load_functions(&f, error);
    return status == PLI_STATUS_OK ? f.pli_ode_collider_add(ode, collider, error) : status;
}
