// Help texts from the tables.
#ifndef PLI_CLI_HELP_H
#define PLI_CLI_HELP_H

#include "frame/command_table.h"

#include <stdio.h>

// All commands of the running program.
void pli_cli_help(FILE *stream);
void pli_cli_help_command(FILE *stream, const pli_cli_command *command);
// The line of an example, with the running program for PROGRAM; free with free().
char *pli_cli_help_example(const pli_cli_example *example);
// "pliant run SCENE [OPTIONS]"
void pli_cli_help_usage(const pli_cli_command *command, char *text, size_t size);
// The summary of an operand, with the names it lists.
void pli_cli_help_operand(const pli_cli_operand *operand, char *text, size_t size);
// Prints text wrapped to at most 80 columns, each line after `indent` spaces; the first line is assumed to be at `column` already.
void pli_cli_help_wrap(FILE *stream, const char *text, int indent, int column);

#endif
