// The one piece of global state: signal handlers can reach nothing else.
#define _XOPEN_SOURCE 700
#include "frame/signals.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static volatile sig_atomic_t asked;
static _Atomic(pli_world *) stepping;

static void ask(int number)
{
    asked = number;
    pli_world *world = atomic_load(&stepping);
    if (world)
        pli_world_cancel(world);
}

void pli_cli_cancel_steps_of(pli_world *world) { atomic_store(&stepping, world); }

void pli_cli_cancel_listen(void)
{
    // The handler is gone after its first call, so that the second signal ends the program.
    struct sigaction action = {.sa_handler = ask, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool pli_cli_cancelled(void) { return asked != 0; }

int pli_cli_cancel_signal(void) { return asked; }
