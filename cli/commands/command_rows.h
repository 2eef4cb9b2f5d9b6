// The program `pliant`.
#ifndef PLI_CLI_COMMAND_ROWS_H
#define PLI_CLI_COMMAND_ROWS_H

#include "frame/command_table.h"

extern const pli_cli_program pli_cli_pliant;

#endif
