// pliant-lab: experiments, validation and benchmarks of the engine.
#include "commands/lab_rows.h"
#include "frame/program.h"

int main(int count, char **words) { return pli_cli_program_run(&pli_lab_program, count, words); }
