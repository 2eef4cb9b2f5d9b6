// Plugins from the command line, for every command that reads scenes. Files never name plugins, since plugins are code.
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
    uint64_t contents[PLI_CLI_PLUGINS_MAX]; // Hashes of the loaded files, for checkpoints.
    int32_t count;
} pli_cli_plugins;

// Only the paths, to pass to another program.
pli_cli_exit pli_cli_plugins_named(const pli_cli_arguments *arguments, int32_t option, pli_cli_plugins *plugins);
// Loads all plugins and reports failures on stderr. Plugins stay loaded until the process ends, so nothing is released.
pli_cli_exit pli_cli_plugins_open(const pli_cli_arguments *arguments, int32_t option, pli_cli_plugins *plugins);

#endif
