// `main` of a program of commands.
#ifndef PLI_CLI_PROGRAM_H
#define PLI_CLI_PROGRAM_H

#include "frame/command_table.h"

// Runs the command that the words name; returns the exit status of the process.
int pli_cli_program_run(const pli_cli_program *program, int count, char **words);

#endif
