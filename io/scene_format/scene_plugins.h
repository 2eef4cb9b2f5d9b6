// Constraint types and generators by name, from the tables and from a scene's plugins.
#ifndef PLI_IO_SCENE_PLUGINS_H
#define PLI_IO_SCENE_PLUGINS_H

#include "scene_format/scene_table.h"

#include <pliant/plugin.h>
#include <pliant/scene.h>

typedef struct scene_plugins {
    const pli_plugin_table *const *rows; // [count]
    int32_t count;
} scene_plugins;

// Returns the plugins of a load, borrowed from it.
scene_plugins scene_plugins_of(const pli_scene_load_def *def);
// Null if there is none of that name, which may be null.
const pli_constraint_type *scene_find_type(scene_plugins plugins, const char *name);
const pli_generator *scene_find_generator(scene_plugins plugins, const char *name);
// The names that a scene may use, as scene_type_names and scene_generator_names, followed by those of plugins.
int scene_known_types(scene_plugins plugins, const char *names[SCENE_NAMES_MAX]);
int scene_known_generators(scene_plugins plugins, const char *names[SCENE_NAMES_MAX]);

#endif
