// Plugins: checks of the contents of a shared object. The platform loads it (library.h).
#include "files/user_plugin.h"

#include "support/library.h"

#include <string.h>

#define ENTRY "pli_plugin_entry"

typedef const pli_plugin_table *entry_function(void);

static pli_status check_def(const char *path, const pli_plugin_table *plugin, pli_error *error)
{
    if (!plugin)
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT, "plugin '%.300s': its " ENTRY " returns NULL", path);
    if (plugin->version != PLI_PLUGIN_VERSION)
        return pli_fail(error, PLI_STATUS_UNSUPPORTED,
                        "plugin '%.300s' is of version %u, and this Pliant takes version %u; build it again with the "
                        "headers of this Pliant",
                        path, (unsigned)plugin->version, (unsigned)PLI_PLUGIN_VERSION);
    if (plugin->type_count < 0 || plugin->generator_count < 0 || (plugin->type_count > 0 && !plugin->types) ||
        (plugin->generator_count > 0 && !plugin->generators))
        return pli_fail(error, PLI_STATUS_INVALID_ARGUMENT,
                        "plugin '%.300s' counts %d types and %d generators; give the lists that it counts", path,
                        (int)plugin->type_count, (int)plugin->generator_count);
    return PLI_STATUS_OK;
}

pli_status pli_plugin_register(const pli_plugin_table *plugin, pli_world *world, pli_error *error)
{
    pli_status status = PLI_STATUS_OK;
    for (int32_t i = 0; i < plugin->generator_count && status == PLI_STATUS_OK; i++)
        status = pli_world_register_generator(world, plugin->generators[i], error);
    for (int32_t i = 0; i < plugin->type_count && status == PLI_STATUS_OK; i++)
        status = pli_world_register_type(world, plugin->types[i], error);
    return status;
}

// The world reports errors in a row.
static pli_status check_rows(const char *path, const pli_plugin_table *plugin, pli_error *error)
{
    const pli_world_def def = pli_world_def_default();
    pli_world *world;
    pli_error found;
    pli_status status = pli_world_create(&def, &world, error);
    if (status != PLI_STATUS_OK)
        return status;
    status = pli_plugin_register(plugin, world, &found);
    pli_world_destroy(world);
    return status == PLI_STATUS_OK ? status : pli_fail(error, status, "plugin '%.200s': %.250s", path, found.message);
}

pli_status pli_plugin_open(const char *path, const pli_plugin_table **plugin, pli_error *error)
{
    *plugin = NULL;
    void *symbol = pli_object_symbol(path, ENTRY, error);
    if (!symbol)
        return PLI_STATUS_UNSUPPORTED;
    entry_function *entry;
    memcpy(&entry, &symbol, sizeof entry); // ISO C has no such cast; POSIX gives object and function pointers one size.
    const pli_plugin_table *found = entry();
    pli_status status = check_def(path, found, error);
    if (status == PLI_STATUS_OK)
        status = check_rows(path, found, error);
    if (status == PLI_STATUS_OK)
        *plugin = found;
    return status == PLI_STATUS_OK ? pli_succeed(error) : status;
}
