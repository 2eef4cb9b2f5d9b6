// Reads values, poses and motion from a checked tree.
#include "scene_format/scene_private.h"

#include "support/vector3.h"

#include <math.h>
#include <string.h>

double scene_number(json_t *object, const char *key, double initial)
{
    json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : initial;
}

bool scene_boolean(json_t *object, const char *key, bool initial)
{
    json_t *value = json_object_get(object, key);
    return json_is_boolean(value) ? json_is_true(value) : initial;
}

const char *scene_text(json_t *object, const char *key, const char *initial)
{
    json_t *value = json_object_get(object, key);
    return json_is_string(value) ? json_string_value(value) : initial;
}

int scene_choice(json_t *object, const char *key, const scene_table *table, int initial)
{
    const char *text = scene_text(object, key, NULL);
    const scene_key *row = scene_find_key(table, key);
    for (int i = 0; text && row && row->choices[i]; i++)
        if (strcmp(row->choices[i], text) == 0)
            return i;
    return initial;
}

bool scene_numbers(json_t *object, const char *key, float *values, int count)
{
    json_t *list = json_object_get(object, key);
    if (!json_is_array(list) || (int)json_array_size(list) != count)
        return false;
    for (int i = 0; i < count; i++)
        values[i] = (float)json_number_value(json_array_get(list, (size_t)i));
    return true;
}

pli_vec3 scene_vector(json_t *object, const char *key, pli_vec3 initial)
{
    float values[3];
    return scene_numbers(object, key, values, 3) ? (pli_vec3){values[0], values[1], values[2]} : initial;
}

pli_quat scene_turn(pli_vec3 axis, double degrees)
{
    double length = sqrt((double)axis.x * (double)axis.x + (double)axis.y * (double)axis.y +
                         (double)axis.z * (double)axis.z);
    if (!(length > 0.0))
        return (pli_quat){0, 0, 0, 1};
    double half = degrees * 0.00872664625997164788, s = sin(half) / length;
    return (pli_quat){(float)((double)axis.x * s), (float)((double)axis.y * s), (float)((double)axis.z * s),
                      (float)cos(half)};
}

static pli_vec3 up_y(void) { return (pli_vec3){0, 1, 0}; }

pli_transform scene_pose(json_t *object)
{
    return (pli_transform){scene_vector(object, "position", (pli_vec3){0}),
                           scene_turn(scene_vector(object, "axis", up_y()), scene_number(object, "angle", 0.0))};
}

// Moves `start` by a translation and a rotation about a point.
static pli_transform moved(pli_transform start, pli_vec3 centre, pli_vec3 shift, pli_quat turn)
{
    pli_vec3 arm = {start.position.x - centre.x, start.position.y - centre.y, start.position.z - centre.z};
    pli_vec3 swung = quat_rotate(turn, arm);
    return (pli_transform){{centre.x + swung.x + shift.x, centre.y + swung.y + shift.y, centre.z + swung.z + shift.z},
                           quat_product(turn, start.rotation)};
}

static pli_transform steady_motion(json_t *motion, pli_transform start, pli_vec3 centre, double time)
{
    double from = scene_number(motion, "start", 0.0), to = scene_number(motion, "stop", INFINITY);
    double moving = fmax(0.0, fmin(time, to) - from);
    pli_vec3 v = scene_vector(motion, "velocity", (pli_vec3){0});
    pli_vec3 shift = {(float)((double)v.x * moving), (float)((double)v.y * moving), (float)((double)v.z * moving)};
    double degrees = fmod(scene_number(motion, "angular_speed", 0.0) * moving, 360.0);
    return moved(start, centre, shift, scene_turn(scene_vector(motion, "axis", up_y()), degrees));
}

static pli_vec3 between(pli_vec3 a, pli_vec3 b, float t)
{
    return (pli_vec3){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t};
}

static pli_transform keyed_motion(json_t *keys, pli_transform start, pli_vec3 centre, double time)
{
    size_t count = json_array_size(keys), next = 0;
    while (next < count && scene_number(json_array_get(keys, next), "time", 0.0) < time)
        next++;
    json_t *b = json_array_get(keys, next < count ? next : count - 1),
           *a = next > 0 ? json_array_get(keys, next - 1) : b;
    double from = scene_number(a, "time", 0.0), to = scene_number(b, "time", 0.0);
    double t = to > from && time > from ? fmin(1.0, (time - from) / (to - from)) : next > 0 ? 1.0 : 0.0;
    pli_vec3 shift = between(scene_vector(a, "position", (pli_vec3){0}), scene_vector(b, "position", (pli_vec3){0}),
                             (float)t);
    pli_vec3 axis = between(scene_vector(a, "axis", up_y()), scene_vector(b, "axis", up_y()), (float)t);
    double angle = scene_number(a, "angle", 0.0);
    angle += (scene_number(b, "angle", 0.0) - angle) * t;
    return moved(start, centre, shift, scene_turn(axis, angle));
}

pli_transform scene_motion_at(json_t *motion, pli_transform start, pli_vec3 centre, double time)
{
    if (!motion)
        return start;
    json_t *keys = json_object_get(motion, "keyframes");
    centre = scene_vector(motion, "centre", centre);
    double last = scene_number(json_array_get(keys, json_array_size(keys) - 1), "time", 0.0);
    if (scene_boolean(motion, "loop", false) && last > 0.0)
        time = fmod(time, last);
    return json_array_size(keys) > 0 ? keyed_motion(keys, start, centre, time)
                                     : steady_motion(motion, start, centre, time);
}

static double time_of(json_t *pair) { return json_number_value(json_array_get(pair, 0)); }

// The value of a pair, or one component of it.
static double part(json_t *pair, size_t component)
{
    json_t *value = json_array_get(pair, 1);
    return json_number_value(json_is_array(value) ? json_array_get(value, component) : value);
}

double scene_pairs_at(json_t *pairs, double time, size_t component)
{
    size_t count = json_array_size(pairs), next = 0;
    while (next < count && time_of(json_array_get(pairs, next)) < time)
        next++;
    json_t *b = json_array_get(pairs, next < count ? next : count - 1);
    json_t *a = next > 0 ? json_array_get(pairs, next - 1) : b;
    double from = time_of(a), to = time_of(b);
    if (!(to > from) || time <= from)
        return part(next < count ? b : a, component);
    double first = part(a, component), change = part(b, component) - first;
    return first + change * fmin(1.0, (time - from) / (to - from));
}

void scene_layers(json_t *json, uint32_t *layers, uint32_t *mask)
{
    json_t *list = json_object_get(json, "collides_with"), *item;
    size_t i;
    *layers = 1u << (uint32_t)scene_number(json, "layer", 0);
    if (list)
        *mask = 0;
    json_array_foreach (list, i, item)
        *mask |= 1u << (uint32_t)json_integer_value(item);
}

// The check of the scene has seen to it that the shape exists and the sizes are numbers.
static void read_sizes(json_t *shape, pli_collider_def *def)
{
    const pli_shape_info *info = pli_shape_find(scene_text(shape, "shape", ""));
    const pli_shape_field *field;
    def->shape = info ? info->shape : PLI_SHAPE_COUNT;
    for (int32_t i = 0; (field = pli_shape_field_at(i)); i++) {
        float *size = (float *)(void *)((char *)def + field->offset);
        if (field->length > 1)
            scene_numbers(shape, field->name, size, field->length);
        else
            *size = (float)scene_number(shape, field->name, (double)*size);
    }
}

pli_collider_def scene_collider_def(json_t *shape, json_t *surface, const pli_mesh *mesh)
{
    pli_collider_def def = pli_collider_def_default();
    read_sizes(shape, &def);
    def.mesh = mesh;
    def.thickness = (float)scene_number(surface, "thickness", (double)def.thickness);
    scene_layers(surface, &def.layers, &def.mask);
    def.friction = (float)scene_number(surface, "friction", (double)def.friction);
    def.restitution = (float)scene_number(surface, "restitution", (double)def.restitution);
    return def;
}

const pli_parameter *scene_find_parameter(const pli_constraint_type *type, const char *name)
{
    const pli_parameter *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++)
        if (strcmp(parameter->name, name) == 0)
            return parameter;
    return NULL;
}
