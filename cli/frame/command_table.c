// The table of commands: one line each.
#include "frame/command_table.h"

#include <string.h>

#define ROWS(ROW)                                                                                                      \
    ROW(run)                                                                                                           \
    ROW(inspect)                                                                                                       \
    ROW(models)                                                                                                        \
    ROW(check)                                                                                                         \
    ROW(check_intersections)                                                                                           \
    ROW(render)                                                                                                        \
    ROW(cook)                                                                                                          \
    ROW(convert)                                                                                                       \
    ROW(experiment)                                                                                                    \
    ROW(bench)                                                                                                         \
    ROW(schema)                                                                                                        \
    ROW(completion)                                                                                                    \
    ROW(manual)                                                                                                        \
    ROW(help)

#define DECLARE(name) extern const pli_cli_command pli_cli_row_##name;
#define REFER(name) &pli_cli_row_##name,

ROWS(DECLARE)

static const pli_cli_command *const rows[] = {ROWS(REFER)};

int32_t pli_cli_command_count(void) { return PLI_CLI_COUNT(rows); }

const pli_cli_command *pli_cli_command_at(int32_t i) { return i >= 0 && i < PLI_CLI_COUNT(rows) ? rows[i] : NULL; }

const pli_cli_command *pli_cli_command_find(const char *name)
{
    for (int32_t i = 0; i < PLI_CLI_COUNT(rows); i++)
        if (strcmp(rows[i]->name, name) == 0)
            return rows[i];
    return NULL;
}

const char *pli_cli_command_name(int32_t i)
{
    const pli_cli_command *command = pli_cli_command_at(i);
    return command ? command->name : NULL;
}
