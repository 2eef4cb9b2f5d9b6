// Looks up commands in the program's table.
#include "frame/command_table.h"

#include <string.h>

static const pli_cli_command *const *rows;
static int32_t row_count;

void pli_cli_commands_use(const pli_cli_command *const *table, int32_t count)
{
    rows = table;
    row_count = count;
}

int32_t pli_cli_command_count(void) { return row_count; }

const pli_cli_command *pli_cli_command_at(int32_t i) { return i >= 0 && i < row_count ? rows[i] : NULL; }

const pli_cli_command *pli_cli_command_find(const char *name)
{
    for (int32_t i = 0; i < row_count; i++)
        if (strcmp(rows[i]->name, name) == 0)
            return rows[i];
    return NULL;
}

const char *pli_cli_command_name(int32_t i)
{
    const pli_cli_command *command = pli_cli_command_at(i);
    return command ? command->name : NULL;
}
