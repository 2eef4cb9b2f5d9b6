// pliant-lab experiment: measures the tables and figures of the papers.
#include "frame/options.h"
#include "frame/terminal.h"
#include "reports/experiment_files.h"
#include "reports/experiment_run.h"
#include "frame/help.h"

#include "experiment_table.h"
#include "base/report.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_OUTPUT, OPTION_QUICK, OPTION_SCENES, OPTION_JSON, OPTION_QUIET };
enum { NAME_WIDTH = 22 };

static const char *const words[] = {"list", "all"};

// Null for `list` and `all`.
static const lab_experiment *find(const char *name)
{
    const lab_experiment *row = NULL;
    for (int32_t i = 0; (row = lab_experiment_at(i)); i++)
        if (strcmp(row->name, name) == 0)
            break;
    return row;
}

static const char *choice_name(int32_t i)
{
    if (i < PLI_CLI_COUNT(words))
        return words[i];
    const lab_experiment *row = lab_experiment_at(i - PLI_CLI_COUNT(words));
    return row ? row->name : NULL;
}

static pli_cli_exit list(bool as_json)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < lab_experiment_count(); i++) {
        const lab_experiment *row = lab_experiment_at(i);
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

/* ---- running -------------------------------------------------------------------------------- */

static void print_verdict(const pli_lab_experiment_run *run, const char *folder)
{
    lab_result result = lab_result_of(run->lab);
    printf("%s: %s\n", run->experiment->name, run->experiment->title);
    for (int32_t i = 0; i < result.claim_count; i++) {
        const lab_claim *claim = &result.claims[i];
        printf("  %-8s %s\n           paper: %s; ours: %.4g%s%s\n", lab_claim_holds(claim) ? "holds" : "does not",
               claim->claim, claim->paper, claim->ours, *claim->unit ? " " : "", claim->unit);
    }
    printf("  report: %s/experiments/%s/report.md\n", folder, run->experiment->name);
}

static pli_cli_exit print_results(const pli_cli_arguments *arguments, const pli_lab_experiment_run *runs, int32_t count,
                                  const char *folder)
{
    if (pli_cli_flag(arguments, OPTION_JSON)) {
        json_t *array = json_array();
        for (int32_t i = 0; i < count; i++)
            json_array_append_new(array, pli_lab_experiment_verdict(&runs[i]));
        return pli_cli_print_json(array);
    }
    for (int32_t i = 0; i < count && !pli_cli_flag(arguments, OPTION_QUIET); i++)
        print_verdict(&runs[i], folder);
    return PLI_CLI_DONE;
}

static pli_cli_exit run_experiment(const pli_cli_arguments *arguments)
{
    const char *name = arguments->operands[0], *output = pli_cli_text(arguments, OPTION_OUTPUT);
    const char *folder = output ? output : "out";
    const lab_experiment *only = find(name);
    if (!only && strcmp(name, words[0]) == 0)
        return list(pli_cli_flag(arguments, OPTION_JSON));
    const pli_lab_experiment_how how = {.folder = folder,
                                        .below = "experiments",
                                        .hold = "claims hold",
                                        .write = pli_lab_experiment_write,
                                        .scenes = pli_cli_text(arguments, OPTION_SCENES),
                                        .quick = pli_cli_flag(arguments, OPTION_QUICK),
                                        .quiet = pli_cli_flag(arguments, OPTION_QUIET),
                                        .kind = "experiment",
                                        .count = lab_experiment_count(),
                                        .at = lab_experiment_at,
                                        .page = pli_lab_experiment_page,
                                        .print = print_results};
    return pli_lab_experiment_run_all(arguments, &how, only);
}

static const pli_cli_operand operands[] = {
    {.name = "NAME",
     .summary = "An experiment, or `all` of them; `list` names them",
     .kind = PLI_CLI_CHOICE,
     .choice = choice_name},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FOLDER,
                       .value = "DIR",
                       .summary = "Where the reports go: DIR/experiments/NAME, and with `all` the page "
                                  "DIR/experiments.md (default: out)"},
    [OPTION_QUICK] = {.name = "quick",
                      .kind = PLI_CLI_FLAG,
                      .summary = "The short version: seconds instead of minutes, without pictures"},
    [OPTION_SCENES] = PLI_CLI_OPTION_SCENES,
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print the verdicts as one JSON list"),
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("No progress and no verdicts"),
};

static const pli_cli_example examples[] = {
    {"pliant-lab experiment list", "What there is"},
    {"pliant-lab experiment kelager-table1", "One table; the report is out/experiments/kelager-table1/report.md"},
    {"pliant-lab experiment all -o docs", "Everything, and the page docs/experiments.md"},
    {"pliant-lab experiment all --quick --json", "Short versions, and the verdicts for a program"},
};

const pli_cli_command pli_lab_row_experiment = {
    .name = "experiment",
    .summary = "Measure a table or figure of the papers, with a verdict on each claim",
    .description = "Runs experiments. Each leaves a report with pictures and plots, its data as CSV, and verdict.json: "
                   "claim, the paper's figure, ours, and whether it holds, computed from what was measured. Ctrl-C "
                   "stops; the reports finished before are whole.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_experiment,
};
