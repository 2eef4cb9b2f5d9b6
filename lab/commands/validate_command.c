// pliant-lab validate: compares the engine with closed-form solutions.
#include "frame/options.h"
#include "frame/terminal.h"
#include "frame/help.h"
#include "reports/experiment_run.h"
#include "reports/validation_files.h"

#include "base/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "validation_table.h"

enum { OPTION_OUTPUT, OPTION_QUICK, OPTION_SCENES, OPTION_JSON, OPTION_QUIET };
enum { NAME_WIDTH = 22 };

static const char *const words[] = {"all", "list"};

static const char *choice_name(int32_t i)
{
    if (i < PLI_CLI_COUNT(words))
        return words[i];
    const lab_experiment *row = lab_validation_at(i - PLI_CLI_COUNT(words));
    return row ? row->name : NULL;
}

// Null for `list` and `all`.
static const lab_experiment *find(const char *name)
{
    const lab_experiment *row = NULL;
    for (int32_t i = 0; (row = lab_validation_at(i)); i++)
        if (strcmp(row->name, name) == 0)
            break;
    return row;
}

static pli_cli_exit list(bool as_json)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < lab_validation_count(); i++) {
        const lab_experiment *row = lab_validation_at(i);
        json_array_append_new(
            array, json_pack("{s:s, s:s, s:s}", "name", row->name, "title", row->title, "source", row->source));
        if (as_json)
            continue;
        int column = printf("  %s", row->name);
        pli_cli_help_wrap(stdout, row->title, NAME_WIDTH, column);
        pli_cli_help_wrap(stdout, row->source, NAME_WIDTH, 0);
    }
    if (as_json)
        return pli_cli_print_json(array);
    json_decref(array);
    return PLI_CLI_DONE;
}

// Prints the tables and returns the exit status.
static pli_cli_exit print_results(const pli_cli_arguments *arguments, const pli_lab_experiment_run *runs, int32_t count,
                                  const char *folder)
{
    const bool as_json = pli_cli_flag(arguments, OPTION_JSON), quiet = pli_cli_flag(arguments, OPTION_QUIET);
    json_t *array = json_array();
    int32_t surprises = 0, passing = 0, known = 0;
    pli_cli_exit code = PLI_CLI_DONE;
    for (int32_t i = 0; i < count; i++) {
        surprises += pli_lab_validation_surprises(&runs[i]);
        passing += pli_lab_experiment_holding(&runs[i]);
        known += pli_lab_validation_known(&runs[i]);
        if (as_json)
            json_array_append_new(array, pli_lab_validation_verdict(&runs[i]));
        else if (!quiet)
            pli_lab_validation_print(stdout, &runs[i]);
    }
    if (as_json)
        code = pli_cli_print_json(array);
    else
        json_decref(array);
    if (!as_json && !quiet)
        printf("%d rows pass, %d miss as is known. Reasons and plots are in %s/validation\n", (int)passing, (int)known,
               folder);
    if (code == PLI_CLI_DONE && surprises > 0)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%d row%s otherwise than recorded", (int)surprises,
                                surprises == 1 ? "" : "s");
    return code;
}

static pli_cli_exit run_all(const pli_cli_arguments *arguments, const lab_experiment *only, const char *folder)
{
    const pli_lab_experiment_how how = {.folder = folder,
                                        .below = "validation",
                                        .hold = "rows pass",
                                        .write = pli_lab_validation_write,
                                        .scenes = pli_cli_text(arguments, OPTION_SCENES),
                                        .quick = pli_cli_flag(arguments, OPTION_QUICK),
                                        .quiet = pli_cli_flag(arguments, OPTION_QUIET),
                                        .kind = "check",
                                        .count = lab_validation_count(),
                                        .at = lab_validation_at,
                                        .page = pli_lab_validation_page,
                                        .print = print_results};
    return pli_lab_experiment_run_all(arguments, &how, only);
}

static pli_cli_exit run_validate(const pli_cli_arguments *arguments)
{
    const char *name = arguments->operand_count > 0 ? arguments->operands[0] : words[0];
    const char *output = pli_cli_text(arguments, OPTION_OUTPUT);
    if (strcmp(name, words[1]) == 0)
        return list(pli_cli_flag(arguments, OPTION_JSON));
    return run_all(arguments, find(name), output ? output : "out");
}

static const pli_cli_operand operands[] = {
    {.name = "NAME",
     .summary = "A check, or `all` of them (the default); `list` names them",
     .kind = PLI_CLI_CHOICE,
     .optional = true,
     .choice = choice_name},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FOLDER,
                       .value = "DIR",
                       .summary = "Where the reports go: DIR/validation/NAME, and with `all` the page "
                                  "DIR/validation.md (default: out)"},
    [OPTION_QUICK] = {.name = "quick",
                      .kind = PLI_CLI_FLAG,
                      .summary = "The short version: some seconds for all, on fewer meshes and models"},
    [OPTION_SCENES] = PLI_CLI_OPTION_SCENES,
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print the tables as one JSON list"),
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("No progress and no tables: the exit status alone"),
};

static const pli_cli_example examples[] = {
    {"pliant-lab validate list", "What there is"},
    {"pliant-lab validate cantilever", "One check; its plots are in out/validation/cantilever"},
    {"pliant-lab validate --quick", "Short versions of all, in some seconds"},
    {"pliant-lab validate all -o docs", "Everything, and the page docs/validation.md"},
    {"pliant-lab validate all --json > verdicts.json", "The tables for a program"},
};

const pli_cli_command pli_lab_row_validate = {
    .name = "validate",
    .summary = "Compare the engine with closed forms: a verdict on each row",
    .description =
        "Runs checks: a strip that is clamped and hangs, a drape, a balloon, a chain, friction on a slope and others, "
        "for which there is a closed form. Each prints a table with what was measured, the closed form, the error, the "
        "bar, and the verdict, and leaves plots, data and verdict.json. Settings are the defaults unless a row names "
        "others. A verdict is pass, MISS, or `miss, known` where a model is known not to meet the bar; the reason is "
        "in the report. The exit status is 0 when every row does as recorded, so a row that is known to miss and "
        "passes fails the command too: then its record must be corrected. Ctrl-C stops; the checks finished before are "
        "whole and are printed.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_validate,
};
