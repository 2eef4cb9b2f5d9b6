// The program `pliant-lab`.
#ifndef PLI_LAB_ROWS_H
#define PLI_LAB_ROWS_H

#include "frame/command_table.h"

extern const pli_cli_program pli_lab_program;

#endif
