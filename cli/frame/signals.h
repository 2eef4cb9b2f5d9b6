// Cancellation: the first SIGINT (Ctrl-C) or SIGTERM asks the command to stop, the second one of the same kind ends the program. The end
// of the terminal (SIGHUP) and of the processor time allowed (SIGXCPU) ask as well, however often they come.
#ifndef PLI_CLI_SIGNALS_H
#define PLI_CLI_SIGNALS_H

#include "pliant/world.h"

#include <stdbool.h>

void pli_cli_cancel_listen(void);
bool pli_cli_cancelled(void);
// The signal that asked last; 0 while none has.
int pli_cli_cancel_signal(void);
// Cancels the steps of this world as well, until it is called with null.
void pli_cli_cancel_steps_of(pli_world *world);

#endif
