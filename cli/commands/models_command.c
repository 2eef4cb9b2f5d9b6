// pliant models: constraint types, generators and materials, as their descriptors say.
#include "frame/options.h"
#include "frame/terminal.h"
#include "frame/help.h"
#include "sources/plugins.h"

#include <pliant/constraint_type.h>
#include <pliant/generator.h>
#include <pliant/descriptor.h>
#include <pliant/material.h>

#include <stdio.h>
#include <string.h>

enum { TEXT_COLUMN = 14, NAME_WIDTH = 18 };
enum { OPTION_PLUGIN, OPTION_JSON };

static const double endless = 1e30;

static const char plate_name[] = "plate";
static const char *const sense_names[] = {"C = 0, always", "C <= 0: where C > 0", "C >= 0: where C < 0"};

static const char *row_name(int32_t i)
{
    const pli_constraint_type *type = pli_constraint_type_at(i);
    const pli_generator *generator = type ? NULL : pli_generator_at(i - pli_constraint_type_count());
    const int32_t rest = i - pli_constraint_type_count() - pli_generator_count();
    const pli_material *material = pli_material_at(rest);
    const char *more = rest == pli_material_count() ? plate_name : NULL;
    return type ? type->name : generator ? generator->name : material ? material->name : more;
}

// The plate is a bending model, but no constraint type: a group of the descriptors.
static const pli_descriptor_group *find_plate(const char *name)
{
    return strcmp(name, plate_name) == 0 ? pli_descriptor_group_find(plate_name) : NULL;
}

/* ---- JSON ----------------------------------------------------------------------------------- */

// The row whose `key` is that name, in a list of the one JSON.
static json_t *row_of(json_t *descriptors, const char *list, const char *key, const char *name)
{
    size_t i;
    json_t *row;
    json_array_foreach (json_object_get(descriptors, list), i, row)
        if (strcmp(json_string_value(json_object_get(row, key)), name) == 0)
            return json_incref(row);
    return NULL;
}

static pli_cli_exit print_json(const char *name)
{
    char *text;
    pli_error error;
    if (pli_descriptors_json(&text, &error) != PLI_STATUS_OK)
        return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    json_t *descriptors = name ? json_loads(text, 0, NULL) : NULL;
    if (!name)
        puts(text);
    pli_text_release(text);
    if (!name)
        return PLI_CLI_DONE;
    const char *list = find_plate(name)                 ? "groups"
                       : pli_constraint_type_find(name) ? "types"
                       : pli_material_find(name)        ? "materials"
                                                        : "generators";
    json_t *row = row_of(descriptors, list, find_plate(name) ? "id" : "name", name);
    json_decref(descriptors);
    return pli_cli_print_json(row);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void print_field(const char *name, const char *text)
{
    int column = printf("  %s", name);
    pli_cli_help_wrap(stdout, text, TEXT_COLUMN, column);
}

static void print_particles(int32_t cardinality)
{
    char text[40];
    snprintf(text, sizeof text, cardinality > 0 ? "%d" : "depends on the mesh", (int)cardinality);
    print_field("particles", text);
}

static void print_parameter(const pli_property *parameter, const char *unit)
{
    char range[300];
    size_t used = 0;
    if (parameter->choices) {
        used += (size_t)snprintf(range, sizeof range, "one of");
        for (int32_t i = 0; parameter->choices[i].name && used < sizeof range; i++)
            used += (size_t)snprintf(range + used, sizeof range - used, "%s %s", i ? "," : "",
                                     parameter->choices[i].name);
        if (used < sizeof range)
            snprintf(range + used, sizeof range - used, "; default %s",
                     parameter->choices[(int)parameter->initial].name);
    } else {
        if (parameter->maximum >= endless)
            snprintf(range, sizeof range, "%g or more%s%s, default %g", parameter->minimum, unit[0] ? " " : "", unit,
                     parameter->initial);
        else
            snprintf(range, sizeof range, "%g to %g%s%s, default %g", parameter->minimum, parameter->maximum,
                     unit[0] ? " " : "", unit, parameter->initial);
    }
    int column = printf("    %s", parameter->name);
    pli_cli_help_wrap(stdout, range, NAME_WIDTH, column);
    pli_cli_help_wrap(stdout, parameter->summary, NAME_WIDTH, 0);
    if (parameter->change != PLI_CHANGE_LIVE)
        pli_cli_help_wrap(stdout, "Set when the constraint set is created; it cannot change afterwards.", NAME_WIDTH,
                          0);
}

static void print_type(const pli_constraint_type *type)
{
    printf("%s: %s\n", type->name, type->bending ? "a bending model" : "a constraint type");
    print_field("use", type->summary);
    print_field("formula", type->formula);
    print_field("unit of C", type->unit[0] ? type->unit : "none");
    print_particles(type->cardinality);
    if (type->sense_parameter) {
        const int column = printf("  acts");
        printf("%*sas its parameter '%s' says\n", TEXT_COLUMN - column, "", type->sense_parameter);
    } else {
        print_field("acts", sense_names[type->sense]);
    }
    print_field("made by", type->generator ? type->generator : "a list of particles");
    if (type->world_anchored)
        print_field("anchored", "acts against the world frame: momentum is not conserved");
    print_field("source", type->source);
    puts("  parameters");
    const pli_property *parameter;
    for (int32_t i = 0; (parameter = pli_constraint_type_parameter(type, i)); i++) {
        char unit[60];
        pli_constraint_type_parameter_unit(type, parameter, unit, sizeof unit);
        print_parameter(parameter, unit);
    }
}

static void print_plate(const pli_descriptor_group *plate)
{
    printf("%s: a bending model\n", plate->id);
    print_field("use", plate->summary);
    print_field("particles", "all of the deformable, solved simultaneously");
    print_field("made by", "the deformable's `plate`, in addition to its constraints");
    print_field("source", "Morley 1968; docs/concepts.md, Effective bending rigidity");
    puts("  parameters");
    for (int32_t i = 0; i < plate->property_count; i++)
        print_parameter(&plate->properties[i], plate->properties[i].unit ? plate->properties[i].unit : "");
}

static void add_user(const pli_constraint_type *type, const pli_generator *generator, char *users, size_t size)
{
    const size_t used = strlen(users);
    if (type->generator && strcmp(type->generator, generator->name) == 0)
        snprintf(users + used, size - used, "%s%s", used ? ", " : "", type->name);
}

static void print_generator(const pli_cli_plugins *plugins, const pli_generator *generator)
{
    printf("%s: a generator\n", generator->name);
    print_field("makes", generator->summary);
    print_particles(generator->cardinality);
    print_field("source", generator->source);
    char users[300] = "";
    for (int32_t i = 0; i < pli_constraint_type_count(); i++)
        add_user(pli_constraint_type_at(i), generator, users, sizeof users);
    for (int32_t k = 0; k < plugins->count; k++)
        for (int32_t i = 0; i < plugins->tables[k]->type_count; i++)
            add_user(plugins->tables[k]->types[i], generator, users, sizeof users);
    print_field("default of", users[0] ? users : "no type");
}

static void print_material(const pli_material *material)
{
    const pli_descriptor_group *group = pli_descriptor_group_find("material");
    pli_material_def def = material->def;
    printf("%s: a material\n", material->name);
    print_field("is", material->summary);
    print_field("source", material->source);
    puts("  numbers");
    pli_material_resolve(&def, NULL);
    for (int32_t i = 0; i < group->property_count; i++) {
        double values[3];
        char text[60];
        const pli_property *property = &group->properties[i];
        pli_property_read(property, &def, values);
        if (values[0] == 0.0)
            continue;
        snprintf(text, sizeof text, "%.4g %s", values[0], property->unit ? property->unit : "");
        int column = printf("    %s", property->name);
        pli_cli_help_wrap(stdout, text, NAME_WIDTH + 4, column);
    }
}

// A row of a list: its name and its description.
static void print_row(const char *name, const char *summary)
{
    int column = printf("  %s", name);
    pli_cli_help_wrap(stdout, summary ? summary : "", NAME_WIDTH + 4, column);
}

static void print_types(bool bending)
{
    for (int32_t i = 0; i < pli_constraint_type_count(); i++) {
        const pli_constraint_type *type = pli_constraint_type_at(i);
        if (type->bending == bending)
            print_row(type->name, type->summary);
    }
}

static void print_plugin(const char *path, const pli_plugin_table *table)
{
    printf("\nOf %s:\n", path);
    for (int32_t i = 0; i < table->type_count; i++)
        print_row(table->types[i]->name, table->types[i]->summary);
    for (int32_t i = 0; i < table->generator_count; i++)
        print_row(table->generators[i]->name, table->generators[i]->summary);
}

static void print_all(const pli_cli_plugins *plugins)
{
    puts("Bending models:");
    print_types(true);
    print_row(plate_name, find_plate(plate_name)->summary);
    puts("\nOther constraint types:");
    print_types(false);
    puts("\nGenerators, which make constraints from a mesh:");
    for (int32_t i = 0; i < pli_generator_count(); i++)
        print_row(pli_generator_at(i)->name, pli_generator_at(i)->summary);
    puts("\nMaterials, which give a deformable its numbers:");
    for (int32_t i = 0; i < pli_material_count(); i++)
        print_row(pli_material_at(i)->name, pli_material_at(i)->summary);
    for (int32_t i = 0; i < plugins->count; i++)
        print_plugin(plugins->paths[i], plugins->tables[i]);
    puts("\nParameters, formula, numbers and source of one: pliant models NAME");
}

/* ---- the command ---------------------------------------------------------------------------- */

// Rows of plugins are listed even if their names are already in use: a duplicate is rejected only when it is added to a world.
static const pli_constraint_type *find_type(const pli_cli_plugins *plugins, const char *name)
{
    const pli_constraint_type *found = pli_constraint_type_find(name);
    for (int32_t k = 0; k < plugins->count && !found; k++)
        for (int32_t i = 0; i < plugins->tables[k]->type_count && !found; i++)
            if (strcmp(plugins->tables[k]->types[i]->name, name) == 0)
                found = plugins->tables[k]->types[i];
    return found;
}

static const pli_generator *find_generator(const pli_cli_plugins *plugins, const char *name)
{
    const pli_generator *found = pli_generator_find(name);
    for (int32_t k = 0; k < plugins->count && !found; k++)
        for (int32_t i = 0; i < plugins->tables[k]->generator_count && !found; i++)
            if (strcmp(plugins->tables[k]->generators[i]->name, name) == 0)
                found = plugins->tables[k]->generators[i];
    return found;
}

static pli_cli_exit print_one(const pli_cli_arguments *arguments, const pli_cli_plugins *plugins, const char *name)
{
    const pli_constraint_type *type = find_type(plugins, name);
    const pli_generator *generator = find_generator(plugins, name);
    const pli_material *material = pli_material_find(name);
    const pli_descriptor_group *plate = find_plate(name);
    if (!type && !generator && !material && !plate)
        return pli_cli_complain_choice(arguments->command, arguments->command->operands[0].name, name, row_name);
    if (pli_cli_flag(arguments, OPTION_JSON))
        return print_json(name);
    if (plate)
        print_plate(plate);
    else if (type)
        print_type(type);
    else if (generator)
        print_generator(plugins, generator);
    else
        print_material(material);
    return PLI_CLI_DONE;
}

static pli_cli_exit run_models(const pli_cli_arguments *arguments)
{
    const char *name = arguments->operands[0];
    pli_cli_plugins plugins;
    pli_cli_exit code = pli_cli_plugins_open(arguments, OPTION_PLUGIN, &plugins);
    if (code != PLI_CLI_DONE)
        return code;
    if (plugins.count > 0 && pli_cli_flag(arguments, OPTION_JSON))
        return pli_cli_complain(
            PLI_CLI_WRONG_USE,
            "models: --json has what the library has, and nothing of plugins; leave one of them out");
    if (name)
        return print_one(arguments, &plugins, name);
    if (pli_cli_flag(arguments, OPTION_JSON))
        return print_json(NULL);
    print_all(&plugins);
    return PLI_CLI_DONE;
}

static const pli_cli_operand operands[] = {
    {.name = "NAME",
     .summary = "A constraint type, the plate, a generator or a material; without it, all are listed",
     .kind = PLI_CLI_CHOICE,
     .optional = true,
     .choice = row_name,
     .open = true},
};

static const pli_cli_option options[] = {
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print one JSON object"),
};

static const pli_cli_example examples[] = {
    {"pliant models", "Everything there is, a line each"},
    {"pliant models triangle", "Formula, source and parameters with units, ranges and defaults"},
    {"pliant models denim", "Values of a material, and their sources"},
    {"pliant models rope --plugin ./ropes.so", "A type of yours, as a scene would have it"},
    {"pliant models --json", "All descriptors for a program: settings, definitions, types, generators"},
};

const pli_cli_command pli_cli_row_models = {
    .name = "models",
    .summary = "List constraint types, generators and materials, or explain one",
    .description =
        "Lists the constraint types, generators and materials, or explains one with its formula, its source and "
        "its parameters with units, ranges and defaults.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_models,
};
