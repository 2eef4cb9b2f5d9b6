// The command `help`: all commands, or one with its options and examples.
#include "frame/help.h"
#include "frame/options.h"

static pli_cli_exit run_help(const pli_cli_arguments *arguments)
{
    if (arguments->operands[0])
        pli_cli_help_command(stdout, pli_cli_command_find(arguments->operands[0]));
    else
        pli_cli_help(stdout);
    return PLI_CLI_DONE;
}

static const pli_cli_operand operands[] = {
    {.name = "COMMAND",
     .summary = "A command; without it, all are listed",
     .kind = PLI_CLI_CHOICE,
     .optional = true,
     .choice = pli_cli_command_name},
};

static const pli_cli_example examples[] = {
    {"PROGRAM help completion", "Print the same as --help after the command"},
};

const pli_cli_command pli_cli_row_help = {
    .name = "help",
    .summary = "Explain a command",
    .description = "Explains a command, its options and how it is used.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_help,
};
