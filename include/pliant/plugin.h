/// Pliant-scene, plugins: constraint types and generators of yours in a shared object, for scenes and for the command.
///
///     static const pli_constraint_type *const types[] = {&spring};
///     static const pli_plugin_table plugin = {.size = sizeof plugin, .version = PLI_PLUGIN_VERSION, .name = "springs",
///                                           .types = types, .type_count = 1};
///     const pli_plugin_table *pli_plugin_entry(void) { return &plugin; }
///
///     cc -shared -fPIC springs.c -o springs.so $(pkg-config --cflags --libs pliant)
///     pliant run scene.json --plugin springs.so
///
/// A plugin is code, and runs with the rights of who loads it. No scene file can name one: only a command line or a host can.
/// docs/embedding.md has a whole one, examples/plugins/ropes.c.
#ifndef PLIANT_PLUGIN_H
#define PLIANT_PLUGIN_H

#include "constraint_type.h"
#include "generator.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Grows when a plugin has to be built again; one of another version is refused.
#define PLI_PLUGIN_VERSION 1

/// The rows that a plugin brings. They and their texts stay where they are and unchanged until the process ends.
typedef struct pli_plugin_table {
    uint32_t size;                           ///< sizeof(pli_plugin_table).
    uint32_t version;                        ///< PLI_PLUGIN_VERSION, of the headers that it was built with.
    const char *name;                        ///< For messages.
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
/// The one function that a plugin defines and the library does not. Called once when it is loaded, on the thread that loads it.
PLI_PLUGIN_EXPORT const pli_plugin_table *pli_plugin_entry(void);

/// Loads a shared object, asks its pli_plugin_entry and checks its rows as a world would. It stays loaded until the process ends,
/// since worlds call it. `path` is a file, never searched for in the folders of the system's libraries. Errors, which name the file:
/// UNSUPPORTED for one that cannot be loaded, has no such function or was built for another version, and in builds
/// without shared libraries; INVALID_ARGUMENT for a row that is refused; OUT_OF_MEMORY. From any thread.
PLI_API pli_status pli_plugin_open(const char *path, const pli_plugin_table **plugin, pli_error *error);

#ifdef __cplusplus
}
#endif
#endif
