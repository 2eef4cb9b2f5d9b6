// The JSON Schema and the reference of scenes, generated from the tables that the check uses.
#define _POSIX_C_SOURCE 200809L
#include "scene_format/scene_table.h"

#include "files/json_parse.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bounds of at least this size are omitted for readers.
#define ENDLESS 1e29

static json_t *object_schema(const scene_table *table);

static json_t *names_json(const char *const *names)
{
    json_t *list = json_array();
    for (int i = 0; names[i]; i++)
        json_array_append_new(list, json_string(names[i]));
    return list;
}

// Infinite bounds are omitted.
static json_t *number_schema(const char *type, double minimum, double maximum)
{
    json_t *schema = json_pack("{s:s,s:f}", "type", type, "minimum", minimum);
    if (!isinf(maximum))
        json_object_set_new(schema, "maximum", json_real(maximum));
    return schema;
}

// A summary with its unit before the full stop.
static json_t *description(const char *summary, const char *note, const char *unit)
{
    char text[400];
    int length = (int)strlen(summary) - 1;
    if (unit && unit[0])
        snprintf(text, sizeof text, "%.*s [%s].%s", length, summary, unit, note ? note : "");
    else
        snprintf(text, sizeof text, "%s%s", summary, note ? note : "");
    return json_string(text);
}

static json_t *parameter_schema(const pli_constraint_type *type, const pli_property *parameter)
{
    const char *names[SCENE_NAMES_MAX];
    char unit[60];
    if (parameter->choices)
        scene_choice_names(parameter->choices, names);
    const bool is_boolean = parameter->kind == PLI_PROPERTY_BOOLEAN;
    json_t *schema = parameter->choices ? json_pack("{s:o}", "enum", names_json(names))
                     : is_boolean       ? json_pack("{s:s}", "type", "boolean")
                                        : number_schema("number", parameter->minimum, parameter->maximum);
    pli_constraint_type_parameter_unit(type, parameter, unit, sizeof unit);
    json_object_set_new(schema, "description", description(parameter->summary, NULL, unit));
    json_object_set_new(schema, "default",
                        parameter->choices ? json_string(names[(int)parameter->initial])
                        : is_boolean       ? json_boolean(parameter->initial > 0.0)
                                           : json_real(parameter->initial));
    return schema;
}

// One alternative for each type, since its parameters depend on it.
static json_t *constraint_schema(void)
{
    const char *names[SCENE_NAMES_MAX], *generators[SCENE_NAMES_MAX];
    int count = scene_type_names(names);
    scene_generator_names(generators);
    json_t *alternatives = json_array();
    for (int i = 0; i < count; i++) {
        const pli_constraint_type *type = pli_constraint_type_find(names[i]);
        json_t *schema = object_schema(&scene_constraint), *properties = json_object_get(schema, "properties");
        json_object_set_new(properties, "type", json_pack("{s:s}", "const", names[i]));
        json_object_set_new(properties, "generator", json_pack("{s:o}", "enum", names_json(generators)));
        const pli_property *parameter;
        for (int32_t k = 0; (parameter = pli_constraint_type_parameter(type, k)); k++)
            json_object_set_new(properties, parameter->name, parameter_schema(type, parameter));
        json_object_set_new(schema, "description", json_string(type->summary));
        json_array_append_new(alternatives, schema);
    }
    return json_pack("{s:o}", "oneOf", alternatives);
}

// [[time, value], ...], where a value is a number or three.
static json_t *pairs_schema(void)
{
    json_t *vector = json_pack("{s:s,s:{s:s},s:i,s:i}", "type", "array", "items", "type", "number", "minItems", 3,
                               "maxItems", 3);
    json_t *pair = json_pack("{s:s,s:[{s:s},{s:[{s:s},o]}],s:i,s:i}", "type", "array", "prefixItems", "type", "number",
                             "anyOf", "type", "number", vector, "minItems", 2, "maxItems", 2);
    return json_pack("{s:s,s:i,s:o}", "type", "array", "minItems", 1, "items", pair);
}

static json_t *value_schema(const scene_key *key);

// Either a text that stands for a key of an object, or the object.
static json_t *brief_schema(const scene_key *key)
{
    json_t *brief = value_schema(scene_find_key(key->inner, key->brief));
    return json_pack("{s:[o,o]}", "anyOf", brief, object_schema(key->inner));
}

static json_t *value_schema(const scene_key *key)
{
    const char *names[SCENE_NAMES_MAX];
    scene_key_choices(key, names);
    switch (key->kind) {
    case SCENE_NUMBER:
        return number_schema("number", key->minimum, key->maximum);
    case SCENE_INTEGER:
        return number_schema("integer", key->minimum, key->maximum);
    case SCENE_BOOLEAN:
        return json_pack("{s:s}", "type", "boolean");
    case SCENE_TEXT:
        return json_pack("{s:s}", "type", "string");
    case SCENE_CHOICE:
        return json_pack("{s:o}", "enum", names_json(names));
    case SCENE_VECTOR:
        return json_pack("{s:s,s:o,s:i,s:i}", "type", "array", "items",
                         number_schema("number", key->minimum, key->maximum), "minItems", key->length, "maxItems",
                         key->length);
    case SCENE_INTEGERS:
        return json_pack("{s:s,s:o}", "type", "array", "items", number_schema("integer", key->minimum, key->maximum));
    case SCENE_NUMBERS:
        return json_pack("{s:s,s:o}", "type", "array", "items", number_schema("number", key->minimum, key->maximum));
    case SCENE_TEXTS:
        return json_pack("{s:s,s:{s:o}}", "type", "array", "items", "enum", names_json(names));
    case SCENE_PAIRS:
        return pairs_schema();
    case SCENE_OBJECT:
        return key->brief ? brief_schema(key) : object_schema(key->inner);
    case SCENE_LIST:
        return json_pack("{s:s,s:o}", "type", "array", "items", object_schema(key->inner));
    case SCENE_CONSTRAINTS:
        return json_pack("{s:s,s:o}", "type", "array", "items", constraint_schema());
    case SCENE_PROPERTY: // Full keys have the kind of the property.
        break;
    }
    return json_object();
}

static json_t *object_schema(const scene_table *table)
{
    json_t *properties = json_object(), *required = json_array();
    scene_key keys[SCENE_KEYS_MAX];
    const int count = scene_table_keys(table, keys);
    for (int i = 0; i < count; i++) {
        const scene_key full = scene_key_full(&keys[i]), *key = &full;
        json_t *schema = value_schema(key);
        char preset[SCENE_DEFAULT_SIZE];
        json_object_set_new(schema, "description", description(key->summary, key->note, key->unit));
        if (scene_key_default(key, preset))
            json_object_set_new(schema, "default", json_loads(preset, JSON_DECODE_ANY, NULL));
        json_object_set_new(properties, key->name, schema);
        if (key->required)
            json_array_append_new(required, json_string(key->name));
    }
    json_t *schema = json_pack("{s:s,s:o,s:b}", "type", "object", "properties", properties, "additionalProperties", 0);
    if (json_array_size(required) > 0)
        json_object_set(schema, "required", required);
    json_decref(required);
    return schema;
}

char *pli_scene_schema(void)
{
    json_t *schema = object_schema(&scene_root);
    json_object_set_new(schema, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
    json_object_set_new(schema, "title", json_string("Pliant scene"));
    char *text = pli_json_format(schema, JSON_INDENT(2) | JSON_REAL_PRECISION(9) | JSON_SORT_KEYS);
    json_decref(schema);
    return text;
}

typedef struct page {
    FILE *stream;
    const scene_table *seen[64];
    int seen_count;
} page;

static const char *const kind_names[] = {
    "number",
    "whole number",
    "true or false",
    "text",
    "choice",
    "list",
    "whole numbers",
    "numbers",
    "texts",
    "pairs",
    "object",
    "list of objects",
    "list of constraint sets",
};

static void print_names(FILE *out, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        fprintf(out, "%s`%s`", i ? ", " : "", names[i]);
}

static void print_range(FILE *out, const char *before, double minimum, double maximum)
{
    if (maximum < ENDLESS)
        fprintf(out, "%s%g to %g", before, minimum, maximum);
    else if (minimum > -ENDLESS)
        fprintf(out, "%s%g or more", before, minimum);
}

static void print_key(FILE *out, const scene_key *given)
{
    const scene_key full = scene_key_full(given), *key = &full;
    const char *names[SCENE_NAMES_MAX];
    char preset[SCENE_DEFAULT_SIZE];
    int count = scene_key_choices(key, names);
    fprintf(out, "| `%s` | ", key->name);
    if (key->kind == SCENE_VECTOR)
        fprintf(out, "%d numbers", key->length);
    else if (count > 0)
        print_names(out, names);
    else if (key->brief)
        fprintf(out, "text, the `%s`, or object", key->brief);
    else
        fputs(kind_names[key->kind], out);
    if (key->kind == SCENE_NUMBER || key->kind == SCENE_INTEGER)
        print_range(out, ", ", key->minimum, key->maximum);
    fprintf(out, " | %s | %s | %s%s%s |\n", key->unit ? key->unit : "", scene_key_default(key, preset) ? preset : "",
            key->required ? "**Required.** " : "", key->summary, key->note ? key->note : "");
}

static void print_table(page *p, const scene_table *table)
{
    for (int i = 0; i < p->seen_count; i++)
        if (p->seen[i] == table)
            return;
    p->seen[p->seen_count++] = table;
    fprintf(p->stream,
            "### `%s`\n\n%s\n\n| key | value | unit | default | meaning |\n| --- | --- | --- | --- | --- |\n",
            table->title, scene_table_summary(table));
    scene_key keys[SCENE_KEYS_MAX];
    const int count = scene_table_keys(table, keys);
    for (int i = 0; i < count; i++)
        print_key(p->stream, &keys[i]);
    fputc('\n', p->stream);
    for (int i = 0; i < table->count; i++)
        if (table->keys[i].inner)
            print_table(p, table->keys[i].inner);
}

static void print_types(FILE *out)
{
    const char *names[SCENE_NAMES_MAX];
    int count = scene_type_names(names);
    fputs("### Constraint types\n\nEvery set takes the parameters of its type.\n\n"
          "| type | generator | parameter | unit | range | default | meaning |\n"
          "| --- | --- | --- | --- | --- | --- | --- |\n",
          out);
    for (int i = 0; i < count; i++) {
        const pli_constraint_type *type = pli_constraint_type_find(names[i]);
        const pli_property *parameter;
        for (int32_t k = 0; (parameter = pli_constraint_type_parameter(type, k)); k++) {
            const char *values[SCENE_NAMES_MAX];
            char unit[60];
            fprintf(out, "| %s%s%s | %s | `%s` | %s | ", k ? "" : "`", k ? "" : type->name, k ? "" : "`",
                    k ? "" : type->generator, parameter->name,
                    pli_constraint_type_parameter_unit(type, parameter, unit, sizeof unit));
            if (parameter->choices) {
                scene_choice_names(parameter->choices, values);
                print_names(out, values);
                fprintf(out, " | `%s` | %s |\n", values[(int)parameter->initial], parameter->summary);
            } else if (parameter->kind == PLI_PROPERTY_BOOLEAN) {
                fprintf(out, "true or false | %s | %s |\n", parameter->initial > 0.0 ? "true" : "false",
                        parameter->summary);
            } else {
                print_range(out, "", parameter->minimum, parameter->maximum);
                fprintf(out, " | %g | %s |\n", parameter->initial, parameter->summary);
            }
        }
    }
}

static void print_shapes(FILE *out)
{
    fputs(
        "### Shapes\n\nA collider, and a part of a body, takes the sizes of its shape. A collider without triangles of "
        "its own (not `hull` or `mesh`) is met by the\nparticles of cloth, but as a surface by cloth whose longest "
        "triangle side is longer than the shape is wide "
        "([contact](contact.md#two-kinds-of-contact)).\n\n"
        "| shape | what it is | sizes | bodies are made of it |\n"
        "| --- | --- | --- | --- |\n",
        out);
    const pli_shape_info *info;
    for (int32_t i = 0; (info = pli_shape_at(i)); i++) {
        const char *between = "";
        fprintf(out, "| `%s` | %s | ", info->name, info->summary);
        for (int32_t k = 0; k < pli_shape_field_count(); k++)
            if (info->fields >> k & 1u) {
                fprintf(out, "%s`%s`", between, pli_shape_field_at(k)->name);
                between = ", ";
            }
        fprintf(out, "%s | %s |\n", info->takes_mesh ? "`mesh`" : "", info->solid ? "yes" : "no");
    }
    fputc('\n', out);
}

char *pli_scene_reference(void)
{
    char *text = NULL;
    size_t size = 0;
    page p = {.stream = open_memstream(&text, &size)};
    if (!p.stream)
        return NULL;
    print_table(&p, &scene_root);
    print_shapes(p.stream);
    print_types(p.stream);
    fclose(p.stream);
    return text;
}
