// Constraint types and generators by name, including plugins.
#include "scene_format/scene_plugins.h"

#include <string.h>

scene_plugins scene_plugins_of(const pli_scene_load_def *def)
{
    return (scene_plugins){def->plugins, def->plugins ? def->plugin_count : 0};
}

const pli_constraint_type *scene_find_type(scene_plugins plugins, const char *name)
{
    for (int32_t p = 0; name && p < plugins.count; p++)
        for (int32_t i = 0; i < plugins.rows[p]->type_count; i++)
            if (strcmp(plugins.rows[p]->types[i]->name, name) == 0)
                return plugins.rows[p]->types[i];
    return pli_constraint_type_find(name);
}

const pli_generator *scene_find_generator(scene_plugins plugins, const char *name)
{
    for (int32_t p = 0; name && p < plugins.count; p++)
        for (int32_t i = 0; i < plugins.rows[p]->generator_count; i++)
            if (strcmp(plugins.rows[p]->generators[i]->name, name) == 0)
                return plugins.rows[p]->generators[i];
    return pli_generator_find(name);
}

int scene_known_types(scene_plugins plugins, const char *names[SCENE_NAMES_MAX])
{
    int count = scene_type_names(names);
    for (int32_t p = 0; p < plugins.count; p++)
        for (int32_t i = 0; i < plugins.rows[p]->type_count && count + 1 < SCENE_NAMES_MAX; i++)
            names[count++] = plugins.rows[p]->types[i]->name;
    return count;
}

int scene_known_generators(scene_plugins plugins, const char *names[SCENE_NAMES_MAX])
{
    int count = scene_generator_names(names);
    for (int32_t p = 0; p < plugins.count; p++)
        for (int32_t i = 0; i < plugins.rows[p]->generator_count && count + 1 < SCENE_NAMES_MAX; i++)
            names[count++] = plugins.rows[p]->generators[i]->name;
    return count;
}
