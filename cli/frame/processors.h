// How many things a command does at a time by default.
#ifndef PLI_CLI_PROCESSORS_H
#define PLI_CLI_PROCESSORS_H

#include <stdint.h>

// Processors that this process may run on, from 1 to `most`: fewer than the machine has where taskset or a cluster's queue says so.
int32_t pli_cli_processors(int32_t most);

#endif
