// Cancellation: the first SIGINT (Ctrl-C) or SIGTERM requests the command to stop; a second one of the same kind ends the program. A
// closed terminal (SIGHUP) and the limit of processor time (SIGXCPU) also request a stop, however often they occur.
#ifndef PLI_CLI_SIGNALS_H
#define PLI_CLI_SIGNALS_H

#include "pliant/world.h"

#include <stdbool.h>

void pli_cli_cancel_listen(void);
bool pli_cli_cancelled(void);
// The last signal that requested a stop; 0 if none did.
int pli_cli_cancel_signal(void);
// Also cancels the steps of this world, until it is called with null.
void pli_cli_cancel_steps_of(pli_world *world);

#endif
