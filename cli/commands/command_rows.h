// The table of commands.
#ifndef PLI_CLI_COMMAND_ROWS_H
#define PLI_CLI_COMMAND_ROWS_H

#include "frame/command_table.h"

extern const pli_cli_command *const pli_cli_rows[];
extern const int32_t pli_cli_row_count;

#endif
