// Cancellation: the first Ctrl-C or SIGTERM asks the command to stop, the second one ends the program.
#ifndef PLI_CLI_SIGNALS_H
#define PLI_CLI_SIGNALS_H

#include <stdbool.h>

void pli_cli_cancel_listen(void);
bool pli_cli_cancelled(void);

#endif
