// The table of commands: a command is one file and one line here.
#include "commands/lab_rows.h"

#include <stddef.h>

extern const pli_cli_command pli_lab_row_experiment, pli_lab_row_validate, pli_lab_row_bench, pli_lab_row_slurm,
    pli_lab_row_database, pli_cli_row_completion, pli_cli_row_manual, pli_cli_row_help;

static const pli_cli_command *const rows[] = {
    &pli_lab_row_experiment, &pli_lab_row_validate,   &pli_lab_row_bench,  &pli_lab_row_slurm,
    &pli_lab_row_database,   &pli_cli_row_completion, &pli_cli_row_manual, &pli_cli_row_help,
};

static const pli_cli_example examples[] = {
    {"pliant-lab experiment kelager-fig3", "reproduce a figure of a paper"},
    {"pliant-lab validate --quick", "compare with closed-form solutions"},
    {"pliant-lab bench --quick", "measure times on this machine"},
};

static const char *const user_commands[] = {
    "new",     "run",  "view", "inspect", "models", "check", "check-intersections", "render", "cook",
    "convert", "plot", "diff", "sweep",   "schema", NULL};

const pli_cli_program pli_lab_program = {
    .name = "pliant-lab",
    .purpose = "measures Pliant: experiments of papers, validation, benchmarks",
    .description =
        "Reproduces tables and figures of papers, compares the engine with closed-form solutions and measures\n"
        "times. Scenes are simulated by pliant(1).",
    .commands = rows,
    .command_count = PLI_CLI_COUNT(rows),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .sibling = "pliant",
    .sibling_commands = user_commands,
};
