// Loads plugins for commands.
#include "sources/plugins.h"

#include "frame/folders.h"
#include "frame/terminal.h"

#include <stdlib.h>

pli_cli_exit pli_cli_plugins_named(const pli_cli_arguments *arguments, int32_t option, pli_cli_plugins *plugins)
{
    *plugins = (pli_cli_plugins){.count = 0};
    return pli_cli_texts_all(arguments, option, plugins->paths, PLI_CLI_PLUGINS_MAX, &plugins->count);
}

// 0 for a name that the loader finds in its own search path.
static uint64_t hash_of_file(const char *path)
{
    void *content;
    size_t size;
    if (pli_cli_file_read(path, &content, &size, NULL) != PLI_STATUS_OK)
        return 0;
    uint64_t hash = pli_cli_checksum(PLI_CLI_CHECKSUM_START, content, size);
    free(content);
    return hash;
}

pli_cli_exit pli_cli_plugins_open(const pli_cli_arguments *arguments, int32_t option, pli_cli_plugins *plugins)
{
    pli_error error;
    pli_cli_exit code = pli_cli_plugins_named(arguments, option, plugins);
    for (int32_t i = 0; i < plugins->count && code == PLI_CLI_DONE; i++) {
        plugins->contents[i] = hash_of_file(plugins->paths[i]);
        if (pli_plugin_open(plugins->paths[i], &plugins->tables[i], &error) != PLI_STATUS_OK)
            code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    }
    return code;
}
