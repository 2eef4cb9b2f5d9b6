// Checks a scene against the tables: every key, kind, range and choice; then against the rules.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_check.h"

#include "scene_format/scene_plugins.h"
#include "scene_format/scene_rules.h"
#include "scene_format/scene_table.h"
#include "scene_format/scene_values.h"
#include "src/base/nearest_name.h"
#include "support/printable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_LENGTH = 200, LIST_LENGTH_MAX = 4096 };

static void join(char path[PATH_LENGTH], const char *before, const char *key)
{
    snprintf(path, PATH_LENGTH, "%.120s%s%.70s", before, before[0] ? "." : "", key);
}

static void wrong(scene_diagnostics *f, const char *path, const char *expected)
{
    scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "must be %s", expected);
}

static void check_range(scene_diagnostics *f, const char *path, double value, double low, double high, const char *unit)
{
    if (value >= low && value <= high)
        return;
    bool named = unit && unit[0];
    char end[40] = " or more", given[32];
    if (!isinf(high))
        snprintf(end, sizeof end, " to %g", high);
    for (int digits = 6; digits <= 17; digits += 3) { // Enough digits to distinguish it from the end of its range.
        snprintf(given, sizeof given, "%.*g", digits, value);
        if (strtod(given, NULL) == value)
            break;
    }
    scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "is %s; it must be %g%s%s%s%s", given, low, end,
                 named ? " [" : "", named ? unit : "", named ? "]" : "");
}

static void check_choice(scene_diagnostics *f, const char *path, json_t *value, const char *const *choices)
{
    const char *text = json_string_value(value);
    int count = 0;
    for (; choices[count]; count++)
        if (text && strcmp(choices[count], text) == 0)
            return;
    const char *meant = pli_meant_name(text ? text : "", choices, count);
    char list[PLI_NAME_LIST];
    pli_list_names(list, choices, count);
    scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "'%s' is not one of %s%s%s%s",
                 text ? text : "(not a text)", list, meant ? "; did you mean '" : "", meant ? meant : "",
                 meant ? "'?" : "");
}

static void check_number(scene_diagnostics *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_number(value))
        wrong(f, path, "a number");
    else
        check_range(f, path, json_number_value(value), key->minimum, key->maximum, key->unit);
}

static void check_integer(scene_diagnostics *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_integer(value))
        wrong(f, path, "a whole number");
    else
        check_range(f, path, (double)json_integer_value(value), key->minimum, key->maximum, key->unit);
}

static bool is_direction(const scene_key *key)
{
    const size_t length = strlen(key->name), ending = strlen("axis");
    return length >= ending && strcmp(key->name + length - ending, "axis") == 0;
}

static void check_vector(scene_diagnostics *f, const char *path, json_t *value, const scene_key *key)
{
    char expected[60];
    snprintf(expected, sizeof expected, "a list of %d numbers", key->length);
    if (!json_is_array(value) || (int)json_array_size(value) != key->length) {
        wrong(f, path, expected);
        return;
    }
    for (int i = 0; i < key->length; i++)
        check_number(f, path, json_array_get(value, (size_t)i), key);
    bool zero = is_direction(key);
    for (int i = 0; i < key->length && zero; i++)
        zero = json_number_value(json_array_get(value, (size_t)i)) == 0.0;
    if (zero)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                     "is zero; an axis needs a direction, such as [0, 1, 0]");
}

// Texts are used as names in tables, messages and files.
static void check_text(scene_diagnostics *f, const char *path, json_t *value)
{
    const char *text = json_string_value(value);
    bool fine = text && strlen(text) == json_string_length(value);
    for (const char *c = text; fine && *c; c++)
        fine = pli_control_length(c) == 0;
    if (!fine)
        wrong(f, path, text ? "a text without control characters" : "a text");
}

static void check_key_choice(scene_diagnostics *f, const char *path, json_t *value, const scene_key *key)
{
    const char *names[SCENE_NAMES_MAX];
    scene_key_choices(key, names);
    check_choice(f, path, value, names);
}

static void check_each(scene_diagnostics *f, const char *path, json_t *value, const scene_key *key)
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
        else if (key->kind == SCENE_NUMBERS)
            check_number(f, inner, item, key);
        else
            check_key_choice(f, inner, item, key);
    }
}

static bool is_pair(json_t *pair, size_t width)
{
    json_t *value = json_array_get(pair, 1);
    bool fine = json_array_size(pair) == 2 && json_is_number(json_array_get(pair, 0)) &&
                (width > 0 ? json_array_size(value) == width : json_is_number(value));
    for (size_t i = 0; i < width; i++)
        fine = fine && json_is_number(json_array_get(value, i));
    return fine;
}

static void check_pairs(scene_diagnostics *f, const char *path, json_t *value)
{
    double before = -INFINITY;
    size_t width = json_array_size(json_array_get(json_array_get(value, 0), 1));
    bool fine = json_array_size(value) > 0 && (width == 0 || width == 3);
    for (size_t i = 0; fine && i < json_array_size(value); i++) {
        json_t *pair = json_array_get(value, i);
        fine = is_pair(pair, width) && json_number_value(json_array_get(pair, 0)) > before;
        before = json_number_value(json_array_get(pair, 0));
    }
    if (!fine)
        wrong(f, path, "a list of [time, value] with ascending times [s]");
}

static void check_object(scene_diagnostics *f, const char *path, json_t *object, const scene_table *table);
static void check_constraint(scene_diagnostics *f, const char *path, json_t *object);

static void check_list(scene_diagnostics *f, const char *path, json_t *value, const scene_key *key)
{
    if (!json_is_array(value)) {
        wrong(f, path, "a list of objects");
        return;
    }
    if (json_array_size(value) > LIST_LENGTH_MAX) {
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "has %zu items; at most %d are taken",
                     json_array_size(value), LIST_LENGTH_MAX);
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

static void check_value(scene_diagnostics *f, const char *path, json_t *value, const scene_key *given)
{
    const scene_key full = scene_key_full(given), *key = &full;
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
        check_text(f, path, value);
        break;
    case SCENE_CHOICE:
        check_key_choice(f, path, value, key);
        break;
    case SCENE_VECTOR:
        check_vector(f, path, value, key);
        break;
    case SCENE_INTEGERS:
    case SCENE_NUMBERS:
    case SCENE_TEXTS:
        check_each(f, path, value, key);
        break;
    case SCENE_PAIRS:
        check_pairs(f, path, value);
        break;
    case SCENE_OBJECT:
        if (key->brief && json_is_string(value))
            check_value(f, path, value, scene_find_key(key->inner, key->brief));
        else
            check_object(f, path, value, key->inner);
        break;
    case SCENE_LIST:
    case SCENE_CONSTRAINTS:
        check_list(f, path, value, key);
        break;
    case SCENE_PROPERTY: // Full keys have the kind of the property.
        break;
    }
}

static void unknown_key(scene_diagnostics *f, const char *path, const char *name, const char *const *names, int count)
{
    scene_report_unknown(f, path, "unknown key", name, names, count);
}

static void check_required(scene_diagnostics *f, const char *path, json_t *object, const scene_table *table)
{
    for (int i = 0; i < table->count; i++)
        if (table->keys[i].required && !json_object_get(object, table->keys[i].name))
            scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path, "the key '%s' is missing: %s",
                         table->keys[i].name, scene_key_full(&table->keys[i]).summary);
}

static void check_object(scene_diagnostics *f, const char *path, json_t *object, const scene_table *table)
{
    if (!json_is_object(object)) {
        wrong(f, path, "an object { ... }");
        return;
    }
    scene_key keys[SCENE_KEYS_MAX];
    const char *names[SCENE_KEYS_MAX], *name;
    const int count = scene_table_keys(table, keys);
    for (int i = 0; i < count; i++)
        names[i] = keys[i].name;
    json_t *value;
    json_object_foreach (object, name, value) {
        char inner[PATH_LENGTH];
        join(inner, path, name);
        int i = 0;
        while (i < count && strcmp(names[i], name) != 0)
            i++;
        if (i < count)
            check_value(f, inner, value, &keys[i]);
        else
            unknown_key(f, inner, name, names, count);
    }
    check_required(f, path, object, table);
}

static void check_parameter(scene_diagnostics *f, const char *path, json_t *value, const pli_constraint_type *type,
                            const pli_property *parameter)
{
    const char *names[SCENE_NAMES_MAX];
    char unit[60];
    if (parameter->choices) {
        scene_choice_names(parameter->choices, names);
        check_choice(f, path, value, names);
    } else if (parameter->kind == PLI_PROPERTY_BOOLEAN) {
        if (!json_is_boolean(value))
            wrong(f, path, "true or false");
    } else if (!json_is_number(value)) {
        wrong(f, path, "a number");
    } else {
        pli_constraint_type_parameter_unit(type, parameter, unit, sizeof unit);
        check_range(f, path, json_number_value(value), parameter->minimum, parameter->maximum, unit);
    }
}

static const pli_constraint_type *check_type(scene_diagnostics *f, const char *path, json_t *object)
{
    const char *names[SCENE_NAMES_MAX], *name = scene_text(object, "type", NULL);
    const scene_plugins plugins = scene_plugins_of(f->def);
    int count = scene_known_types(plugins, names);
    const pli_constraint_type *type = scene_find_type(plugins, name);
    char inner[PATH_LENGTH];
    join(inner, path, "type");
    if (!name || !type || !type->generator) {
        if (name)
            scene_report_unknown(f, inner, "unknown constraint type", name, names, count);
        else
            scene_report(f, PLI_STATUS_NOT_FOUND, false, path, "the key 'type' is missing: such as 'distance'");
        return NULL;
    }
    return type;
}

// A constraint on a particle and itself has no length and no gradient.
static void check_distinct(scene_diagnostics *f, const char *path, json_t *particles, size_t cardinality)
{
    for (size_t first = 0; first + cardinality <= json_array_size(particles); first += cardinality)
        for (size_t i = first; i < first + cardinality; i++)
            for (size_t j = first; j < i; j++) {
                const json_int_t particle = json_integer_value(json_array_get(particles, i));
                if (json_integer_value(json_array_get(particles, j)) != particle)
                    continue;
                scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, path,
                             "names particle %lld twice in constraint %zu; each particle of a constraint is another",
                             (long long)particle, first / cardinality);
                return;
            }
}

static void check_particles(scene_diagnostics *f, const char *path, json_t *object, const pli_constraint_type *type)
{
    char inner[PATH_LENGTH];
    json_t *particles = json_object_get(object, "particles");
    join(inner, path, "particles");
    if (particles && (type->cardinality == 0 || json_array_size(particles) % (size_t)type->cardinality != 0))
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, inner,
                     "'%s' needs %d particles a constraint (0: it cannot "
                     "be listed)",
                     type->name, (int)type->cardinality);
    else if (particles)
        check_distinct(f, inner, particles, (size_t)type->cardinality);
}

static void check_generator(scene_diagnostics *f, const char *path, json_t *object, const pli_constraint_type *type)
{
    const char *names[SCENE_NAMES_MAX], *name = scene_text(object, "generator", NULL);
    const scene_plugins plugins = scene_plugins_of(f->def);
    int count = scene_known_generators(plugins, names);
    const pli_generator *generator = scene_find_generator(plugins, name);
    char inner[PATH_LENGTH];
    join(inner, path, "generator");
    if (name && !generator)
        scene_report_unknown(f, inner, "unknown generator", name, names, count);
    else if (name && generator->cardinality != type->cardinality)
        scene_report(f, PLI_STATUS_INVALID_ARGUMENT, false, inner, "'%s' makes stencils of %d particles, '%s' needs %d",
                     name, (int)generator->cardinality, type->name, (int)type->cardinality);
    check_particles(f, path, object, type);
}

static void check_constraint(scene_diagnostics *f, const char *path, json_t *object)
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
    const pli_property *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++)
        names[count++] = parameter->name;
    json_t *value;
    json_object_foreach (object, name, value) {
        char inner[PATH_LENGTH];
        join(inner, path, name);
        const scene_key *key = scene_find_key(&scene_constraint, name);
        parameter = scene_find_parameter(type, name);
        if (key)
            check_value(f, inner, value, key);
        else if (parameter)
            check_parameter(f, inner, value, type, parameter);
        else
            unknown_key(f, inner, name, names, count);
    }
}

void scene_check(scene_diagnostics *f, json_t *root)
{
    check_object(f, "", root, &scene_root);
    if (f->errors == 0)
        scene_check_rules(f, root);
}
