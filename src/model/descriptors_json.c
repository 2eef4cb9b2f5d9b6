// Writes all descriptors as one JSON text, from which panels, bindings and documents are generated (docs/descriptors.md).
#include "constraints/registry.h"
#include "properties/choices.h"
#include "properties/json_text.h"
#include "pliant/attribute.h"
#include "pliant/material.h"
#include "pliant/world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT_SIZE = 60 };

static const char *label_of(const char *label, const char *name) { return label ? label : name; }

/* ---- properties --------------------------------------------------------------------------------- */

static void write_choices(pli_json *json, const pli_choice *choices)
{
    pli_json_open(json, "choices", '[');
    for (int32_t i = 0; choices[i].name; i++) {
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "name", choices[i].name);
        pli_json_string(json, "label", label_of(choices[i].label, choices[i].name));
        pli_json_string(json, "summary", choices[i].summary);
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

static void write_conditions(pli_json *json, const pli_condition *conditions)
{
    pli_json_open(json, "when", '[');
    for (; conditions->path; conditions++) {
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "path", conditions->path);
        pli_json_open(json, conditions->is_not ? "is_not" : "is", '[');
        for (int i = 0; i < PLI_CONDITION_VALUES_MAX && conditions->values[i]; i++) {
            // Conditions contain booleans and numbers as a scene writes them, and names of choices as strings.
            char *end;
            strtod(conditions->values[i], &end);
            if (strcmp(conditions->values[i], "true") == 0 || strcmp(conditions->values[i], "false") == 0 ||
                *end == '\0')
                pli_json_literal(json, NULL, conditions->values[i]);
            else
                pli_json_string(json, NULL, conditions->values[i]);
        }
        pli_json_close(json, '[');
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

// Writes the default as in a scene; null where a scene cannot express it: infinity (no limit), all layers.
static void write_default(pli_json *json, const pli_property *property)
{
    switch (property->kind) {
    case PLI_PROPERTY_BOOLEAN:
        pli_json_boolean(json, "default", property->initial != 0.0);
        break;
    case PLI_PROPERTY_CHOICE:
        pli_json_string(json, "default", property->choices[(int)property->initial].name);
        break;
    case PLI_PROPERTY_VECTOR:
        pli_json_open(json, "default", '[');
        for (int k = 0; k < 3; k++)
            pli_json_number(json, NULL, property->initial_vector[k]);
        pli_json_close(json, '[');
        break;
    case PLI_PROPERTY_LAYER:
        pli_json_number(json, "default", 0.0);
        break;
    case PLI_PROPERTY_LAYERS:
        pli_json_literal(json, "default", "null");
        break;
    case PLI_PROPERTY_NUMBER:
    case PLI_PROPERTY_INTEGER:
        pli_json_number(json, "default", property->initial);
        break;
    }
}

// Writes the step of a slider: decades on a logarithmic scale, a fraction of its length on a square scale, else the
// unit of the property.
static double slider_step(const pli_property *property, double low, double high)
{
    if (property->kind == PLI_PROPERTY_INTEGER)
        return 1.0;
    if (property->scale == PLI_SLIDER_LOG)
        return 0.05;
    return property->scale == PLI_SLIDER_SQUARE ? 0.01 : (high - low) / 100.0;
}

static const char *const kind_names[] = {"number", "integer", "boolean", "choice", "vector", "layer", "layers"};
static const char *const scale_names[] = {"linear", "square", "log"};
static const char *const soft_unit_names[] = {"one", "mean_edge", "compliance_scale"};
static const char *const change_names[] = {"live", "remake", "restart"};

static void write_range(pli_json *json, const pli_property *property)
{
    bool given = property->soft_minimum < property->soft_maximum;
    double low = given ? property->soft_minimum : property->minimum;
    double high = given ? property->soft_maximum : property->maximum;
    pli_json_number(json, "minimum", property->minimum);
    pli_json_number(json, "maximum", property->maximum);
    pli_json_open(json, "soft", '{');
    pli_json_number(json, "minimum", low);
    pli_json_number(json, "maximum", high);
    pli_json_string(json, "times", soft_unit_names[property->soft_unit]);
    pli_json_close(json, '{');
    pli_json_string(json, "scale", scale_names[property->scale]);
    pli_json_number(json, "step", slider_step(property, low, high));
    if (property->zero)
        pli_json_string(json, "zero", property->zero);
}

static void write_property(pli_json *json, const pli_property *property, const char *unit, bool animated)
{
    bool number = property->kind == PLI_PROPERTY_NUMBER || property->kind == PLI_PROPERTY_INTEGER ||
                  property->kind == PLI_PROPERTY_VECTOR;
    pli_json_open(json, NULL, '{');
    pli_json_string(json, "name", property->name);
    pli_json_string(json, "label", label_of(property->label, property->name));
    pli_json_string(json, "kind", kind_names[property->kind]);
    pli_json_string(json, "unit", unit);
    pli_json_string(json, "summary", property->summary);
    if (property->help)
        pli_json_string(json, "help", property->help);
    write_default(json, property);
    if (number)
        write_range(json, property);
    if (property->kind == PLI_PROPERTY_CHOICE)
        write_choices(json, property->choices);
    pli_json_string(json, "change", change_names[property->change]);
    pli_json_boolean(json, "animates", animated && number && property->change == PLI_CHANGE_LIVE);
    pli_json_string(json, "section", property->section ? property->section : "basic");
    if (property->when)
        write_conditions(json, property->when);
    if (property->instead_of)
        pli_json_string(json, "instead_of", property->instead_of);
    if (property->saturates)
        pli_json_string(json, "saturates", property->saturates == PLI_SATURATES_ABOVE ? "above" : "below");
    pli_json_close(json, '{');
}

/* ---- rows --------------------------------------------------------------------------------------- */

static void write_sections(pli_json *json)
{
    pli_json_open(json, "sections", '[');
    for (int32_t i = 0; i < pli_section_count(); i++) {
        const pli_section *section = pli_section_at(i);
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "id", section->id);
        pli_json_string(json, "label", section->label);
        pli_json_boolean(json, "open", section->open);
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

static void write_panel(pli_json *json)
{
    pli_json_open(json, "panel", '[');
    for (int32_t i = 0; i < pli_panel_part_count(); i++) {
        const pli_panel_part *part = pli_panel_part_at(i);
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "id", part->id);
        pli_json_string(json, "label", part->label);
        pli_json_boolean(json, "open", part->open);
        pli_json_open(json, "rows", '[');
        for (int k = 0; k < PLI_PANEL_ROWS_MAX && part->rows[k].prefix; k++) {
            const pli_panel_rows *rows = &part->rows[k];
            pli_json_open(json, NULL, '{');
            pli_json_string(json, "prefix", rows->prefix);
            pli_json_string(json, "group", rows->group);
            pli_json_open(json, "sections", '[');
            for (int s = 0; s < PLI_PANEL_SECTIONS_MAX && rows->sections[s]; s++)
                pli_json_string(json, NULL, rows->sections[s]);
            pli_json_close(json, '[');
            pli_json_close(json, '{');
        }
        pli_json_close(json, '[');
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

static void write_group(pli_json *json, const pli_descriptor_group *group)
{
    pli_json_open(json, NULL, '{');
    pli_json_string(json, "id", group->id);
    pli_json_string(json, "label", group->label);
    pli_json_string(json, "summary", group->summary);
    pli_json_string(json, "target", group->target);
    pli_json_string(json, "definition", group->definition);
    pli_json_open(json, "properties", '[');
    for (int32_t i = 0; i < group->property_count; i++) {
        const char *unit = group->properties[i].unit;
        write_property(json, &group->properties[i], unit ? unit : "", group->animated);
    }
    pli_json_close(json, '[');
    pli_json_close(json, '{');
}

static void write_stencil(pli_json *json, const pli_constraint_type *type)
{
    pli_json_string(json, "formula", type->formula);
    pli_json_string(json, "source", type->source);
    pli_json_string(json, "unit", type->unit);
    pli_json_number(json, "particles", type->cardinality);
    pli_json_number(json, "values", type->dimension);
    pli_json_boolean(json, "bending", type->bending);
    pli_json_boolean(json, "anchored", type->world_anchored);
    pli_json_boolean(json, "needs_normals", type->needs_normals);
    pli_json_string(json, "sense", pli_choice_name("sense", (int32_t)type->sense));
    pli_json_string(json, "sense_parameter", type->sense_parameter);
    pli_json_string(json, "generator", type->generator);
    pli_json_open(json, "generators", '[');
    for (int32_t i = 0; type->generator && i < pli_generator_count(); i++)
        if (pli_generator_at(i)->cardinality == type->cardinality &&
            (type->cardinality > 0 || strcmp(pli_generator_at(i)->name, type->generator) == 0))
            pli_json_string(json, NULL, pli_generator_at(i)->name);
    pli_json_close(json, '[');
}

static void write_type(pli_json *json, const pli_constraint_type *type)
{
    pli_json_open(json, NULL, '{');
    pli_json_string(json, "name", type->name);
    pli_json_string(json, "label", label_of(type->label, type->name));
    pli_json_string(json, "summary", type->summary);
    write_stencil(json, type);
    // Attachments make the types without a generator, and have their own group.
    pli_json_string(json, "target", type->generator ? "deformables[].constraints[]" : NULL);
    pli_json_open(json, "parameters", '[');
    const pli_property *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++) {
        char unit[UNIT_SIZE];
        write_property(json, parameter, pli_constraint_type_parameter_unit(type, parameter, unit, sizeof unit), true);
    }
    pli_json_close(json, '[');
    pli_json_close(json, '{');
}

static void write_generator(pli_json *json, const pli_generator *generator)
{
    pli_json_open(json, NULL, '{');
    pli_json_string(json, "name", generator->name);
    pli_json_string(json, "label", label_of(generator->label, generator->name));
    pli_json_string(json, "summary", generator->summary);
    pli_json_string(json, "source", generator->source);
    pli_json_number(json, "particles", generator->cardinality);
    pli_json_open(json, "default_of", '[');
    for (int32_t i = 0; i < pli_constraint_type_count(); i++) {
        const pli_constraint_type *type = pli_constraint_type_at(i);
        if (type->generator && strcmp(type->generator, generator->name) == 0)
            pli_json_string(json, NULL, type->name);
    }
    pli_json_close(json, '[');
    pli_json_close(json, '{');
}

static void write_measures(pli_json *json)
{
    static const struct {
        const char *unit;
        bool has_sign;
    } units[PLI_MEASURE_COUNT] = {
        [PLI_MEASURE_STRETCH] = {"", true},
        [PLI_MEASURE_BENDING] = {"C", false}, // This measure has the unit of the bending constraints.
        [PLI_MEASURE_SPEED] = {"m/s", false},
        [PLI_MEASURE_CURVATURE] = {"1/m", false},
        [PLI_MEASURE_RESIDUAL] = {"edges", false},
    };
    pli_json_open(json, "measures", '[');
    for (int32_t i = 0; i < PLI_MEASURE_COUNT; i++) {
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "name", pli_measure_choices[i].name);
        pli_json_string(json, "label", pli_measure_choices[i].label);
        pli_json_string(json, "summary", pli_measure_choices[i].summary);
        pli_json_string(json, "unit", units[i].unit);
        pli_json_boolean(json, "signed", units[i].has_sign);
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

static void write_attributes(pli_json *json)
{
    pli_json_open(json, "attributes", '[');
    for (int32_t i = 0; i < pli_attribute_count(); i++) {
        const pli_attribute *row = pli_attribute_at(i);
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "name", row->name);
        pli_json_string(json, "element", pli_element_name(row->element));
        pli_json_string(json, "summary", row->summary);
        pli_json_string(json, "unit", row->unit ? row->unit : "");
        pli_json_number(json, "components", row->components);
        pli_json_boolean(json, "painted", row->painted);
        pli_json_number(json, "minimum", row->minimum);
        pli_json_number(json, "maximum", row->maximum);
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

static void write_stages(pli_json *json)
{
    pli_json_open(json, "stages", '[');
    for (int32_t i = 0; pli_stage_choices[i].name; i++) {
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "name", pli_stage_choices[i].name);
        pli_json_string(json, "label", pli_stage_choices[i].label);
        pli_json_string(json, "summary", pli_stage_choices[i].summary);
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

static void write_panel_values(pli_json *json, const pli_material *material)
{
    pli_panel_value values[PLI_PANEL_VALUES_MAX];
    const int32_t count = pli_material_panel_values(material, values);
    pli_json_open(json, "panel", '{');
    for (int32_t k = 0; k < count; k++) {
        char path[60];
        snprintf(path, sizeof path, "%s.%s", values[k].prefix, values[k].name);
        pli_json_number(json, path, values[k].value);
    }
    pli_json_close(json, '{');
}

// The numbers of a preset are values of properties of the group "material"; only the given ones are written.
static void write_materials(pli_json *json)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("material");
    pli_json_open(json, "materials", '[');
    for (int32_t i = 0; i < pli_material_count(); i++) {
        const pli_material *material = pli_material_at(i);
        pli_json_open(json, NULL, '{');
        pli_json_string(json, "name", material->name);
        pli_json_string(json, "label", material->label);
        pli_json_string(json, "summary", material->summary);
        pli_json_string(json, "source", material->source);
        pli_json_open(json, "values", '{');
        for (int32_t k = 0; k < group->property_count; k++) {
            double values[3];
            pli_property_read(&group->properties[k], &material->def, values);
            if (values[0] != 0.0)
                pli_json_number(json, group->properties[k].name, values[0]);
        }
        pli_json_close(json, '{');
        write_panel_values(json, material);
        pli_json_close(json, '{');
    }
    pli_json_close(json, '[');
}

pli_status pli_descriptors_json(char **text, pli_error *error)
{
    pli_json json = {0};
    *text = NULL;
    pli_json_open(&json, NULL, '{');
    pli_json_number(&json, "descriptors", PLI_DESCRIPTORS_VERSION);
    pli_json_string(&json, "pliant", pli_version());
    write_sections(&json);
    write_panel(&json);
    pli_json_open(&json, "groups", '[');
    for (int32_t i = 0; i < pli_descriptor_group_count(); i++)
        write_group(&json, pli_descriptor_group_at(i));
    pli_json_close(&json, '[');
    pli_json_open(&json, "types", '[');
    for (int32_t i = 0; i < pli_constraint_type_count(); i++)
        write_type(&json, pli_constraint_type_at(i));
    pli_json_close(&json, '[');
    pli_json_open(&json, "generators", '[');
    for (int32_t i = 0; i < pli_generator_count(); i++)
        write_generator(&json, pli_generator_at(i));
    pli_json_close(&json, '[');
    write_measures(&json);
    write_attributes(&json);
    write_stages(&json);
    write_materials(&json);
    pli_json_close(&json, '{');
    if (json.failed) {
        free(json.text);
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "no memory for the descriptors");
    }
    *text = json.text;
    return pli_succeed(error);
}
