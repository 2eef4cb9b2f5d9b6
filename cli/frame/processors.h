// The default number of parallel tasks of a command.
#ifndef PLI_CLI_PROCESSORS_H
#define PLI_CLI_PROCESSORS_H

#include <stdint.h>

// Number of processors that this process may use, from 1 to `most`: fewer than the machine has if taskset or a cluster's queue limits
// them.
int32_t pli_cli_processors(int32_t most);

#endif
