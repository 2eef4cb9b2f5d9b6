// Plugins of the user: registers their rows with a world.
#ifndef PLI_IO_USER_PLUGIN_H
#define PLI_IO_USER_PLUGIN_H

#include <pliant/plugin.h>
#include <pliant/world.h>

// Registers the generators and then the types of a plugin.
pli_status pli_plugin_register(const pli_plugin_table *plugin, pli_world *world, pli_error *error);

#endif
