// The table of commands: a command is one file and one line here.
#include "commands/command_rows.h"

#define ROWS(ROW)                                                                                                      \
    ROW(new)                                                                                                           \
    ROW(run)                                                                                                           \
    ROW(view)                                                                                                          \
    ROW(inspect)                                                                                                       \
    ROW(models)                                                                                                        \
    ROW(check)                                                                                                         \
    ROW(check_intersections)                                                                                           \
    ROW(render)                                                                                                        \
    ROW(cook)                                                                                                          \
    ROW(convert)                                                                                                       \
    ROW(plot)                                                                                                          \
    ROW(diff)                                                                                                          \
    ROW(sweep)                                                                                                         \
    ROW(experiment)                                                                                                    \
    ROW(validate)                                                                                                      \
    ROW(bench)                                                                                                         \
    ROW(schema)                                                                                                        \
    ROW(completion)                                                                                                    \
    ROW(manual)                                                                                                        \
    ROW(help)

#define DECLARE(name) extern const pli_cli_command pli_cli_row_##name;
#define REFER(name) &pli_cli_row_##name,

ROWS(DECLARE)

const pli_cli_command *const pli_cli_rows[] = {ROWS(REFER)};
const int32_t pli_cli_row_count = PLI_CLI_COUNT(pli_cli_rows);
