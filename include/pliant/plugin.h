/// Pliant-scene, plugins: your own constraint types and generators in a shared object, for scenes and the command line.
///
///     static const pli_constraint_type *const types[] = {&spring};
///     static const pli_plugin_table plugin = {.version = PLI_PLUGIN_VERSION, .name = "springs",
///                                           .types = types, .type_count = 1};
///     const pli_plugin_table *pli_plugin_entry(void) { return &plugin; }
///
///     cc -shared -fPIC springs.c -o springs.so $(pkg-config --cflags --libs pliant)
///     pliant run scene.json --plugin springs.so
///
/// A plugin is code that runs with the rights of the process that loads it. A scene file cannot load a plugin; only a command
/// line or an application can. docs/embedding.md explains a complete plugin, examples/plugins/ropes.c.
#ifndef PLIANT_PLUGIN_H
#define PLIANT_PLUGIN_H

#include "constraint_type.h"
#include "generator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Version of the plugin interface. It increases when plugins must be rebuilt; a plugin of another version is rejected.
#define PLI_PLUGIN_VERSION 1

/// The types and generators of a plugin. They and their texts must stay valid and unchanged until the process ends.
typedef struct pli_plugin_table {
    uint32_t version;                        ///< PLI_PLUGIN_VERSION of the headers that the plugin was built with.
    const char *name;                        ///< Name for messages.
    const pli_constraint_type *const *types; ///< [type_count], or NULL.
    int32_t type_count;
    const pli_generator *const *generators; ///< [generator_count], or NULL.
    int32_t generator_count;
} pli_plugin_table;

#if defined(_WIN32)
#define PLI_PLUGIN_EXPORT __declspec(dllexport)
#else
#define PLI_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif
/// The function that every plugin must define; the library has none. It is called by pli_plugin_open, on the calling thread.
PLI_PLUGIN_EXPORT const pli_plugin_table *pli_plugin_entry(void);

/// Loads a shared object, calls its pli_plugin_entry, and checks its types and generators as a world does. The shared object
/// stays loaded until the process ends, because worlds call its functions. `path` is the path of a file; the library folders of
/// the system are not searched. Any thread. Errors, whose messages name the file: UNSUPPORTED for a file that cannot be loaded,
/// does not define the function or was built for another version, and in builds without shared libraries; INVALID_ARGUMENT for
/// an invalid type or generator; OUT_OF_MEMORY.
PLI_API pli_status pli_plugin_open(const char *path, const pli_plugin_table **plugin, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
