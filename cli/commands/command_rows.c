// The table of commands: a command is one file and one line here. Those of pliant-lab are in lab/commands.
#include "commands/command_rows.h"

#include <stddef.h>

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
    ROW(schema)                                                                                                        \
    ROW(completion)                                                                                                    \
    ROW(manual)                                                                                                        \
    ROW(help)

#define DECLARE(name) extern const pli_cli_command pli_cli_row_##name;
#define REFER(name) &pli_cli_row_##name,

ROWS(DECLARE)

static const pli_cli_command *const rows[] = {ROWS(REFER)};

static const pli_cli_example examples[] = {
    {"pliant run scenes/first.json --render", "simulate; leave caches, pictures, a video"},
    {"pliant inspect scenes/meshes/bunny.obj", "report on a mesh"},
    {"pliant models triangle", "a constraint type and its parameters"},
};

static const char *const lab_commands[] = {"experiment", "validate", "bench", "slurm", "database", NULL};

const pli_cli_program pli_cli_pliant = {
    .name = "pliant",
    .purpose = "simulates cloth, plants, shells and inflated bodies from a mesh and a scene",
    .description =
        "Reads a scene of meshes, constraints and colliders, simulates it with position-based dynamics, and\n"
        "leaves point caches, pictures, a video and a summary.",
    .commands = rows,
    .command_count = PLI_CLI_COUNT(rows),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .simulates = true,
    .sibling = "pliant-lab",
    .sibling_commands = lab_commands,
};
