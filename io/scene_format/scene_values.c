// Reads values, poses and motion from a checked tree.
#include "scene_format/scene_values.h"

#include <pliant/math.h>

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
    const char *text = scene_text(object, key, NULL), *names[SCENE_NAMES_MAX];
    scene_key row = scene_key_full(scene_find_key(table, key));
    int count = scene_key_choices(&row, names);
    for (int i = 0; text && i < count; i++)
        if (strcmp(names[i], text) == 0)
            return i;
    return initial;
}

// Bits of layers, which JSON lists as numbers.
static double bits_of(json_t *list)
{
    uint32_t bits = 0;
    size_t i;
    json_t *item;
    json_array_foreach (list, i, item)
        bits |= 1u << (uint32_t)json_integer_value(item);
    return bits;
}

static void read_values(json_t *value, const pli_property *property, double values[3])
{
    switch (property->kind) {
    case PLI_PROPERTY_NUMBER:
    case PLI_PROPERTY_INTEGER:
        values[0] = json_number_value(value);
        break;
    case PLI_PROPERTY_BOOLEAN:
        values[0] = json_is_true(value);
        break;
    case PLI_PROPERTY_CHOICE:
        values[0] = pli_choice_find(property->choices, json_string_value(value));
        break;
    case PLI_PROPERTY_VECTOR:
        for (size_t k = 0; k < 3; k++)
            values[k] = json_number_value(json_array_get(value, k));
        break;
    case PLI_PROPERTY_LAYER:
        values[0] = 1u << (uint32_t)json_integer_value(value);
        break;
    case PLI_PROPERTY_LAYERS:
        values[0] = bits_of(value);
        break;
    }
}

void scene_properties(json_t *object, const pli_descriptor_group *group, void *definition)
{
    for (int32_t i = 0; i < group->property_count; i++) {
        const pli_property *property = &group->properties[i];
        json_t *value = json_object_get(object, property->name);
        double values[3];
        if (!value)
            continue;
        read_values(value, property, values);
        pli_property_write(property, definition, values, NULL);
    }
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

// The Hamilton product and q v q*. Their order of operations differs from pliant/math.h, and pinned states of scenes depend on it.
static pli_quat quat_product(pli_quat a, pli_quat b)
{
    return (pli_quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                      a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

pli_vec3 scene_rotate(pli_quat q, pli_vec3 v)
{
    const pli_quat p = quat_product(quat_product(q, (pli_quat){v.x, v.y, v.z, 0}), pli_conjugate(q));
    return (pli_vec3){p.x, p.y, p.z};
}

// Moves `start` by a translation and a rotation about a point.
static pli_transform moved(pli_transform start, pli_vec3 centre, pli_vec3 shift, pli_quat turn)
{
    pli_vec3 arm = {start.position.x - centre.x, start.position.y - centre.y, start.position.z - centre.z};
    pli_vec3 swung = scene_rotate(turn, arm);
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

pli_collider_def scene_collider_def(json_t *shape, json_t *surface, const pli_mesh *mesh)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("collider");
    pli_collider_def def = pli_collider_def_default(), felt = def;
    scene_properties(shape, group, &def);
    scene_properties(surface, group, &felt);
    def.mesh = mesh;
    def.thickness = felt.thickness;
    def.layers = felt.layers;
    def.mask = felt.mask;
    def.friction = felt.friction;
    def.restitution = felt.restitution;
    return def;
}

const pli_property *scene_find_parameter(const pli_constraint_type *type, const char *name)
{
    const pli_property *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++)
        if (strcmp(parameter->name, name) == 0)
            return parameter;
    return NULL;
}
