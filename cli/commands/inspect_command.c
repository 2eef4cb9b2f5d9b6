// pliant inspect: a report on a mesh, and the constraints that it would get.
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/terminal.h"
#include "reports/inspect_counts.h"
#include "reports/inspect_report.h"
#include "sources/mesh_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_BENDING, OPTION_RULE, OPTION_REPAIR, OPTION_WELD, OPTION_JSON };

// Rules by which triangle bending selects its vertex triples, with their names on the command line.
static const struct {
    const char *name, *generator, *type;
} rules[] = {
    {"fig6a", "triples_fig6a", "triangle"},
    {"fig6b", "triples_fig6b", "triangle"},
    {"union", "triples", "triangle"},
    {"edge", "hinges", "triangle_edge"},
};

static const char *rule_name(int32_t i) { return i < PLI_CLI_COUNT(rules) ? rules[i].name : NULL; }

// Bending models, in the order of the table of types.
static const pli_constraint_type *bending_type(int32_t i)
{
    for (int32_t k = 0; k < pli_constraint_type_count(); k++)
        if (pli_constraint_type_at(k)->bending && i-- == 0)
            return pli_constraint_type_at(k);
    return NULL;
}

static const char *bending_name(int32_t i)
{
    const pli_constraint_type *type = bending_type(i);
    return type ? type->name : NULL;
}

// Type to count, and its generator. NULL: all types, each with its own.
static pli_cli_exit choose(const pli_cli_arguments *arguments, const pli_constraint_type **type, const char **generator)
{
    int32_t bending = pli_cli_choice(arguments, OPTION_BENDING), rule = pli_cli_choice(arguments, OPTION_RULE);
    *type = bending >= 0 ? bending_type(bending) : NULL;
    *generator = NULL;
    if (rule < 0)
        return PLI_CLI_DONE;
    *generator = rules[rule].generator;
    if (!*type)
        *type = pli_constraint_type_find(rules[rule].type);
    if ((*type)->cardinality == pli_generator_find(*generator)->cardinality)
        return PLI_CLI_DONE;
    return pli_cli_complain(PLI_CLI_WRONG_USE,
                            "inspect: --rule %s makes constraints of %d particles, and %s takes %d; "
                            "leave out --rule or take --bending %s",
                            rules[rule].name, (int)pli_generator_find(*generator)->cardinality, (*type)->name,
                            (int)(*type)->cardinality, rules[rule].type);
}

static void print_counts(const pli_cli_count *counts, int32_t count)
{
    puts("\nConstraints that would be made:");
    printf("  %-20s %-18s %11s %11s %11s\n", "type", "generator", "made", "degenerate", "duplicate");
    for (int32_t i = 0; i < count; i++) {
        const pli_cli_count *row = &counts[i];
        if (row->refused[0])
            printf("  %-20s %-18s none: %s\n", row->type, row->generator, row->refused);
        else
            printf("  %-20s %-18s %11d %11d %11d\n", row->type, row->generator, (int)row->found.made,
                   (int)row->found.degenerate, (int)row->found.duplicate);
    }
}

static json_t *counts_json(const pli_cli_count *counts, int32_t count)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < count; i++) {
        json_t *row = json_pack("{s:s, s:s, s:i, s:i, s:i}", "type", counts[i].type, "generator", counts[i].generator,
                                "count", (int)counts[i].found.made, "degenerate", (int)counts[i].found.degenerate,
                                "duplicate", (int)counts[i].found.duplicate);
        if (counts[i].refused[0])
            json_object_set_new(row, "refused", json_string(counts[i].refused));
        json_array_append_new(array, row);
    }
    return array;
}

static pli_cli_exit show(const pli_cli_arguments *arguments, const pli_mesh *mesh, const pli_mesh_report *report,
                         const pli_constraint_type *type, const char *generator)
{
    const char *source = arguments->operands[0];
    pli_cli_count *counts = calloc((size_t)pli_constraint_type_count(), sizeof *counts);
    int32_t count = 0;
    pli_error error;
    if (!counts)
        return pli_cli_complain(PLI_CLI_FAILURE, "out of memory");
    pli_cli_exit code = PLI_CLI_DONE;
    if (mesh && pli_cli_count_constraints(mesh, type, generator, counts, &count, &error) != PLI_STATUS_OK) {
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s: %s", source, error.message);
    } else if (pli_cli_flag(arguments, OPTION_JSON)) {
        json_t *object = json_pack("{s:s, s:b, s:o}", "mesh", source, "usable", mesh != NULL, "report",
                                   pli_cli_report_json(report));
        json_object_set_new(object, "constraints", counts_json(counts, count));
        code = pli_cli_print_json(object);
    } else {
        pli_cli_report_print(source, report);
        if (mesh)
            print_counts(counts, count);
    }
    free(counts);
    return code;
}

static pli_cli_exit run_inspect(const pli_cli_arguments *arguments)
{
    const pli_constraint_type *type;
    const char *generator, *source = arguments->operands[0];
    pli_cli_exit code = choose(arguments, &type, &generator);
    if (code != PLI_CLI_DONE)
        return code;
    if (strcmp(pli_cli_extension(source), "json") == 0)
        return pli_cli_complain(PLI_CLI_WRONG_USE,
                                "inspect: '%s' is a scene, and inspect takes a mesh; `pliant check %s` is for scenes",
                                source, source);
    pli_mesh *mesh = NULL;
    pli_mesh_report report = {0};
    pli_error error;
    pli_status status = pli_cli_mesh_load(source, pli_cli_flag(arguments, OPTION_REPAIR),
                                          pli_cli_flag(arguments, OPTION_WELD), &mesh, &report, &error);
    if (status == PLI_STATUS_OK || status == PLI_STATUS_INVALID_MESH)
        code = show(arguments, mesh, &report, type, generator);
    pli_mesh_destroy(mesh);
    return status == PLI_STATUS_OK ? code : pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
}

static const pli_cli_operand operands[] = {
    {.name = "MESH",
     .summary = "A mesh file (.obj, .ply, .stl, .gltf, .glb), or a shape: " PLI_CLI_SHAPES,
     .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_BENDING] = {.name = "bending",
                        .letter = 'b',
                        .kind = PLI_CLI_CHOICE,
                        .value = "MODEL",
                        .summary = "Count the constraints of this model only",
                        .choice = bending_name},
    [OPTION_RULE] = {.name = "rule",
                     .letter = 'r',
                     .kind = PLI_CLI_CHOICE,
                     .value = "RULE",
                     .summary = "How triangle bending picks its constraints",
                     .choice = rule_name},
    [OPTION_REPAIR] = {.name = "repair",
                       .kind = PLI_CLI_FLAG,
                       .summary = "Repair what would be refused: cut along non-manifold edges, drop faces that repeat "
                                  "others or use a vertex twice, reorient faces consistently"},
    [OPTION_WELD] = {.name = "weld", .kind = PLI_CLI_FLAG, .summary = "Merge vertices within a millionth of the size"},
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print one JSON object"),
};

static const pli_cli_example examples[] = {
    {"pliant inspect scenes/meshes/bunny.obj", "Its size, its flaws, and the constraints of every type it would get"},
    {"pliant inspect grid:10x10:quads --bending triangle",
     "The fabric of Table 1 in the triangle bending paper: 160 constraints"},
    {"pliant inspect scenes/meshes/spot.obj --rule fig6a --json",
     "Triangle bending by the first text of Fig. 6, for a program"},
};

const pli_cli_command pli_cli_row_inspect = {
    .name = "inspect",
    .summary = "Report on a mesh and the constraints it would get",
    .description = "Examines a mesh: its parts, its flaws with the first element that has each, and the number of "
                   "constraints of each type that would be made from it.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_inspect,
};
