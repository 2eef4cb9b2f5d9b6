// pliant: simulate bending from the command line.
#include "commands/command_rows.h"
#include "frame/program.h"

int main(int count, char **words) { return pli_cli_program_run(&pli_cli_pliant, count, words); }
