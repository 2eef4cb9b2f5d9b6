// The one piece of global state: signal handlers can reach nothing else.
#define _XOPEN_SOURCE 700
#include "frame/signals.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void ask(int number)
{
    (void)number;
    asked = 1;
}

void pli_cli_cancel_listen(void)
{
    // The handler is gone after its first call, so that the second signal ends the program.
    struct sigaction action = {.sa_handler = ask, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool pli_cli_cancelled(void) { return asked != 0; }
