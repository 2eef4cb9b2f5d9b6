// Plugins as the command line names them: the one way in for every command that reads scenes. No file names a plugin, since it is code.
#ifndef PLI_CLI_PLUGINS_H
#define PLI_CLI_PLUGINS_H

#include "frame/options.h"

#include <pliant/plugin.h>

// The option, as a row of a command's table.
#define PLI_CLI_OPTION_PLUGIN                                                                                          \
    {                                                                                                                  \
        .name = "plugin", .kind = PLI_CLI_FILE, .value = "FILE.so",                                                    \
        .summary = "Load constraint types and generators from a shared object, which runs with your rights; may be "   \
                   "repeated"                                                                                          \
    }

enum { PLI_CLI_PLUGINS_MAX = 16 };

typedef struct pli_cli_plugins {
    const char *paths[PLI_CLI_PLUGINS_MAX]; // As they were given; borrowed from the arguments.
    const pli_plugin_table *tables[PLI_CLI_PLUGINS_MAX];
    uint64_t contents[PLI_CLI_PLUGINS_MAX]; // Hashes of the files as they were loaded, for checkpoints.
    int32_t count;
} pli_cli_plugins;

// The paths alone, for a program that is started with them.
pli_cli_exit pli_cli_plugins_named(const pli_cli_arguments *arguments, int32_t option, pli_cli_plugins *plugins);
// Loads all of them. One that cannot be loaded is told of on stderr. They stay until the process ends, so that nothing is released.
pli_cli_exit pli_cli_plugins_open(const pli_cli_arguments *arguments, int32_t option, pli_cli_plugins *plugins);

#endif
