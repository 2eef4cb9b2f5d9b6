// Constraint types and generators by name: those of the tables and those of a scene's plugins.
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
// Null where there is none of that name, which may be null.
const pli_constraint_type *scene_find_type(scene_plugins plugins, const char *name);
const pli_generator *scene_find_generator(scene_plugins plugins, const char *name);
// The names of those that a scene may have, as scene_type_names and scene_generator_names, with the plugins' behind.
int scene_known_types(scene_plugins plugins, const char *names[SCENE_NAMES_MAX]);
int scene_known_generators(scene_plugins plugins, const char *names[SCENE_NAMES_MAX]);

#endif
