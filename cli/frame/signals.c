// The only global state: signal handlers can access nothing else.
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

static void listen_to(int number, int flags)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = flags | SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void pli_cli_cancel_listen(void)
{
    // The handler is reset after its first call, so the second signal ends the program.
    listen_to(SIGINT, (int)SA_RESETHAND);
    listen_to(SIGTERM, (int)SA_RESETHAND);
    // These signals can arrive more than once for one reason: the kernel and the shell both send SIGHUP when a terminal closes, and
    // SIGXCPU repeats each second until the hard limit of processor time.
    listen_to(SIGXCPU, 0);
    struct sigaction before;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) // Under nohup the program must continue.
        listen_to(SIGHUP, 0);
}

bool pli_cli_cancelled(void) { return asked != 0; }

int pli_cli_cancel_signal(void) { return asked; }
