// The check of a scene: every key, kind, range and choice by the tables, and what tables cannot say.
#define _POSIX_C_SOURCE 200809L
#include "scene_private.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PATH_LENGTH = 200 };

void scene_find(scene_findings *f, pli_status status, bool warning, const char *path, const char *format, ...)
{
    pli_scene_message message = {.warning = warning};
    const scene_place *place = scene_places_at(&f->places, path);
    if (place) {
        message.line = place->line;
        message.column = place->column;
    }
    snprintf(message.path, sizeof message.path, "%s", path);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message.text, sizeof message.text, format, arguments);
    va_end(arguments);
    if (f->def && f->def->messages && f->count < f->def->message_capacity)
        f->def->messages[f->count] = message;
    f->count++;
    if (warning)
        return;
    if (f->errors++ == 0) {
        f->status = status;
        pli_io_fail(&f->first, status, "%.120s:%d:%d: %.100s: %.220s", f->def ? f->def->path : "", (int)message.line,
                    (int)message.column, path, message.text);
    }
}

static void join(char path[PATH_LENGTH], const char *before, const char *key)
{
    snprintf(path, PATH_LENGTH, "%.120s%s%.70s", before, before[0] ? "." : "", key);
}

static void wrong(scene_findings *f, const char *path, const char *expected)
{
    scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "must be %s", expected);
}

static void check_range(scene_findings *f, const char *path, double value, double low, double high, const char *unit)
{
    if (value >= low && value <= high)
        return;
    bool named = unit && unit[0];
    scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "is %g; it must be %g to %g%s%s%s", value, low, high,
               named ? " [" : "", named ? unit : "", named ? "]" : "");
}

static void check_choice(scene_findings *f, const char *path, json_t *value, const char *const *choices)
{
    const char *text = json_string_value(value);
    int count = 0;
    for (; choices[count]; count++)
        if (text && strcmp(choices[count], text) == 0)
            return;
    char list[160] = "";
    for (int i = 0; i < count && strlen(list) < 120; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "", choices[i]);
    scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "'%s' is none of %s; the nearest is '%s'",
               text ? text : "(not a text)", list, scene_nearest(text ? text : "", choices, count));
}

static void check_number(scene_findings *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_number(value))
        wrong(f, path, "a number");
    else
        check_range(f, path, json_number_value(value), key->minimum, key->maximum, key->unit);
}

static void check_integer(scene_findings *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_integer(value))
        wrong(f, path, "a whole number");
    else
        check_range(f, path, (double)json_integer_value(value), key->minimum, key->maximum, key->unit);
}

static void check_vector(scene_findings *f, const char *path, json_t *value, const scene_key *key)
{
    char expected[60];
    snprintf(expected, sizeof expected, "a list of %d numbers", key->length);
    if (!json_is_array(value) || (int)json_array_size(value) != key->length) {
        wrong(f, path, expected);
        return;
    }
    for (int i = 0; i < key->length; i++)
        check_number(f, path, json_array_get(value, (size_t)i), key);
}

static void check_each(scene_findings *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_array(value)) {
        wrong(f, path, "a list");
        return;
    }
    size_t i;
    json_t *item;
    json_array_foreach (value, i, item) {
        char inner[PATH_LENGTH];
        snprintf(inner, sizeof inner, "%.170s[%zu]", path, i);
        if (key->kind == SCENE_INTEGERS)
            check_integer(f, inner, item, key);
        else
            check_choice(f, inner, item, key->choices);
    }
}

static void check_pairs(scene_findings *f, const char *path, json_t *value)
{
    double before = -INFINITY;
    bool fine = json_array_size(value) > 0;
    for (size_t i = 0; fine && i < json_array_size(value); i++) {
        json_t *pair = json_array_get(value, i);
        fine = json_array_size(pair) == 2 && json_is_number(json_array_get(pair, 0)) &&
               json_is_number(json_array_get(pair, 1)) && json_number_value(json_array_get(pair, 0)) > before;
        before = fine ? json_number_value(json_array_get(pair, 0)) : before;
    }
    if (!fine)
        wrong(f, path, "a list of [time, value] with ascending times [s]");
}

static void check_object(scene_findings *f, const char *path, json_t *object, const scene_table *table);
static void check_constraint(scene_findings *f, const char *path, json_t *object);

static void check_list(scene_findings *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_array(value)) {
        wrong(f, path, "a list of objects");
        return;
    }
    size_t i;
    json_t *item;
    json_array_foreach (value, i, item) {
        char inner[PATH_LENGTH];
        snprintf(inner, sizeof inner, "%.170s[%zu]", path, i);
        if (key->kind == SCENE_CONSTRAINTS)
            check_constraint(f, inner, item);
        else
            check_object(f, inner, item, key->inner);
    }
}

static void check_value(scene_findings *f, const char *path, json_t *value, const scene_key *key)
{
    switch (key->kind) {
    case SCENE_NUMBER:
        check_number(f, path, value, key);
        break;
    case SCENE_INTEGER:
        check_integer(f, path, value, key);
        break;
    case SCENE_BOOLEAN:
        if (!json_is_boolean(value))
            wrong(f, path, "true or false");
        break;
    case SCENE_TEXT:
        if (!json_is_string(value))
            wrong(f, path, "a text");
        break;
    case SCENE_CHOICE:
        check_choice(f, path, value, key->choices);
        break;
    case SCENE_VECTOR:
        check_vector(f, path, value, key);
        break;
    case SCENE_INTEGERS:
    case SCENE_TEXTS:
        check_each(f, path, value, key);
        break;
    case SCENE_PAIRS:
        check_pairs(f, path, value);
        break;
    case SCENE_OBJECT:
        check_object(f, path, value, key->inner);
        break;
    case SCENE_LIST:
    case SCENE_CONSTRAINTS:
        check_list(f, path, value, key);
        break;
    }
}

static void unknown_key(scene_findings *f, const char *path, const char *name, const char *const *names, int count)
{
    scene_find(f, PLI_STATUS_NOT_FOUND, false, path, "there is no key '%s' here; the nearest is '%s'", name,
               scene_nearest(name, names, count));
}

static void check_required(scene_findings *f, const char *path, json_t *object, const scene_table *table)
{
    for (int i = 0; i < table->count; i++)
        if (table->keys[i].required && !json_object_get(object, table->keys[i].name))
            scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "the key '%s' is missing: %s",
                       table->keys[i].name, table->keys[i].summary);
}

static void check_object(scene_findings *f, const char *path, json_t *object, const scene_table *table)
{
    if (!json_is_object(object)) {
        wrong(f, path, "an object { ... }");
        return;
    }
    const char *names[SCENE_NAMES_MAX], *name;
    for (int i = 0; i < table->count; i++)
        names[i] = table->keys[i].name;
    json_t *value;
    json_object_foreach (object, name, value) {
        char inner[PATH_LENGTH];
        join(inner, path, name);
        const scene_key *key = scene_find_key(table, name);
        if (key)
            check_value(f, inner, value, key);
        else
            unknown_key(f, inner, name, names, table->count);
    }
    check_required(f, path, object, table);
}

static const pli_parameter *find_parameter(const pli_constraint_type *type, const char *name)
{
    const pli_parameter *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++)
        if (strcmp(parameter->name, name) == 0)
            return parameter;
    return NULL;
}

static void check_parameter(scene_findings *f, const char *path, json_t *value, const pli_parameter *parameter)
{
    if (parameter->choices)
        check_choice(f, path, value, parameter->choices);
    else if (!json_is_number(value))
        wrong(f, path, "a number");
    else
        check_range(f, path, json_number_value(value), parameter->minimum, parameter->maximum, parameter->unit);
}

static const pli_constraint_type *check_type(scene_findings *f, const char *path, json_t *object)
{
    const char *names[SCENE_NAMES_MAX], *name = scene_text(object, "type", NULL);
    int count = scene_type_names(names);
    const pli_constraint_type *type = pli_constraint_type_find(name);
    char inner[PATH_LENGTH];
    join(inner, path, "type");
    if (!name || !type || !type->generator) {
        scene_find(f, PLI_STATUS_NOT_FOUND, false, name ? inner : path,
                   name ? "no constraint type is called '%s'; the nearest is '%s'"
                        : "the key 'type' is missing%s: such as '%s'",
                   name ? name : "", scene_nearest(name ? name : "distance", names, count));
        return NULL;
    }
    return type;
}

static void check_generator(scene_findings *f, const char *path, json_t *object, const pli_constraint_type *type)
{
    const char *names[SCENE_NAMES_MAX], *name = scene_text(object, "generator", NULL);
    int count = scene_generator_names(names);
    const pli_generator *generator = pli_generator_find(name);
    char inner[PATH_LENGTH];
    join(inner, path, "generator");
    if (name && !generator)
        scene_find(f, PLI_STATUS_NOT_FOUND, false, inner, "no generator is called '%s'; the nearest is '%s'", name,
                   scene_nearest(name, names, count));
    else if (name && generator->cardinality != type->cardinality)
        scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, inner, "'%s' makes stencils of %d particles, '%s' needs %d",
                   name, (int)generator->cardinality, type->name, (int)type->cardinality);
    json_t *particles = json_object_get(object, "particles");
    join(inner, path, "particles");
    if (particles && (type->cardinality == 0 || json_array_size(particles) % (size_t)type->cardinality != 0))
        scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, inner, "'%s' needs %d particles a constraint (0: it cannot "
                   "be listed)", type->name, (int)type->cardinality);
}

static void check_constraint(scene_findings *f, const char *path, json_t *object)
{
    if (!json_is_object(object)) {
        wrong(f, path, "an object { ... }");
        return;
    }
    const pli_constraint_type *type = check_type(f, path, object);
    if (!type)
        return;
    check_generator(f, path, object, type);
    const char *names[SCENE_NAMES_MAX], *name;
    int count = 0;
    for (; count < scene_constraint.count; count++)
        names[count] = scene_constraint.keys[count].name;
    const pli_parameter *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++)
        names[count++] = parameter->name;
    json_t *value;
    json_object_foreach (object, name, value) {
        char inner[PATH_LENGTH];
        join(inner, path, name);
        const scene_key *key = scene_find_key(&scene_constraint, name);
        parameter = find_parameter(type, name);
        if (key)
            check_value(f, inner, value, key);
        else if (parameter)
            check_parameter(f, inner, value, parameter);
        else
            unknown_key(f, inner, name, names, count);
    }
}

// What the tables cannot say: choices between keys, and paths into the scene itself.
static void check_mesh(scene_findings *f, const char *path, json_t *mesh)
{
    static const char *const sources[] = {"file", "grid", "sphere", "tube", "plant"};
    int count = 0;
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        count += json_object_get(mesh, sources[i]) != NULL;
    if (count != 1)
        scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "needs exactly one of file, grid, sphere, tube, plant; "
                   "here are %d", count);
    json_t *grid = json_object_get(mesh, "grid"), *tube = json_object_get(mesh, "tube");
    double vertices = fmax(scene_number(grid, "columns", 40) * scene_number(grid, "rows", 40) * (grid != NULL),
                           scene_number(tube, "around", 32) * scene_number(tube, "along", 32) * (tube != NULL));
    if (vertices > 4e6)
        scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "would have %.0f vertices; at most 4 million", vertices);
}

static void check_names(scene_findings *f, json_t *deformables)
{
    size_t i;
    json_t *item;
    json_array_foreach (deformables, i, item) {
        const char *name = scene_text(item, "name", NULL);
        for (size_t j = 0; name && j < i; j++) {
            const char *other = scene_text(json_array_get(deformables, j), "name", NULL);
            char path[PATH_LENGTH];
            snprintf(path, sizeof path, "deformables[%zu].name", i);
            if (other && strcmp(name, other) == 0)
                scene_find(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "'%s' is the name of deformable %zu too", name,
                           j);
        }
    }
}

static void check_keyframe(scene_findings *f, json_t *root, json_t *keyframe, size_t i)
{
    char path[PATH_LENGTH], last[64];
    json_t *parent = NULL;
    const char *target = scene_text(keyframe, "path", "");
    snprintf(path, sizeof path, "keyframes[%zu].path", i);
    json_t *value = scene_at(root, target, &parent, last);
    const pli_constraint_type *type = pli_constraint_type_find(scene_text(parent, "type", NULL));
    bool setting = strncmp(target, "settings.", 9) == 0 && scene_find_key(scene_find_key(&scene_root, "settings")->inner,
                                                                          target + 9);
    if (type && find_parameter(type, last))
        return;
    if (setting && (!value || json_is_number(value)) && strcmp(last, "gravity") != 0 && strcmp(last, "wind") != 0 &&
        strcmp(last, "method") != 0)
        return;
    scene_find(f, PLI_STATUS_NOT_FOUND, false, path, "'%s' is neither a parameter of a constraint set nor a number "
               "among the settings", target);
}

static void check_whole(scene_findings *f, json_t *root)
{
    size_t i;
    json_t *item, *deformables = json_object_get(root, "deformables");
    json_array_foreach (deformables, i, item) {
        char path[PATH_LENGTH];
        snprintf(path, sizeof path, "deformables[%zu].mesh", i);
        if (json_is_object(json_object_get(item, "mesh")))
            check_mesh(f, path, json_object_get(item, "mesh"));
    }
    check_names(f, deformables);
    json_array_foreach (json_object_get(root, "keyframes"), i, item)
        check_keyframe(f, root, item, i);
    if (json_array_size(deformables) == 0)
        scene_find(f, PLI_STATUS_OK, true, "", "there is no deformable: nothing will move");
}

void scene_check(scene_findings *f, json_t *root)
{
    check_object(f, "", root, &scene_root);
    if (f->errors == 0)
        check_whole(f, root);
}
