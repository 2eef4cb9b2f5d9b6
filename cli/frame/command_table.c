// Keeps the running program, and looks up commands in its table.
#include "frame/command_table.h"

#include <stddef.h>
#include <string.h>

static const char *const no_names[] = {NULL};
static const pli_cli_program nameless = {.name = "pliant", .sibling_commands = no_names};
static const pli_cli_program *running = &nameless;

void pli_cli_program_use(const pli_cli_program *program) { running = program; }

const pli_cli_program *pli_cli_program_running(void) { return running; }

const pli_cli_command *pli_cli_command_find(const char *name)
{
    for (int32_t i = 0; i < running->command_count; i++)
        if (strcmp(running->commands[i]->name, name) == 0)
            return running->commands[i];
    return NULL;
}

const char *pli_cli_command_name(int32_t i)
{
    return i >= 0 && i < running->command_count ? running->commands[i]->name : NULL;
}
