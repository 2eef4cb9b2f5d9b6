// A scene text in a folder of its own, loaded: shared by the tests of scenes.
#ifndef PLI_TESTS_SCENE_TEXT_H
#define PLI_TESTS_SCENE_TEXT_H

#include <pliant/scene.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MESSAGES_MAX = 32 };

typedef struct loaded {
    pli_scene *scene;
    pli_status status;
    pli_error error;
    pli_scene_diagnostic messages[MESSAGES_MAX];
    int32_t count;
} loaded;

static inline const char *folder(void)
{
    static char path[] = "/tmp/pliant-scene-XXXXXX";
    static bool made;
    if (!made && !mkdtemp(path))
        abort();
    made = true;
    return path;
}

static inline void write_text(const char *name, const char *text)
{
    char path[300];
    snprintf(path, sizeof path, "%s/%s", folder(), name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

// Loads a text as scene.json; settings end with null.
static inline loaded load_with(const char *text, bool allow_outside, const char *const *settings)
{
    char path[300];
    loaded result = {0};
    write_text("scene.json", text);
    snprintf(path, sizeof path, "%s/scene.json", folder());
    pli_scene_load_def def = pli_scene_load_def_default();
    def.path = path;
    def.allow_outside = allow_outside;
    def.overrides = settings;
    while (settings && settings[def.override_count])
        def.override_count++;
    def.diagnostics = result.messages;
    def.diagnostic_capacity = MESSAGES_MAX;
    def.diagnostic_count = &result.count;
    result.status = pli_scene_load(&def, &result.scene, &result.error);
    return result;
}

static inline pli_scene *load(const char *text)
{
    loaded result = load_with(text, false, NULL);
    if (result.status != PLI_STATUS_OK)
        fail_msg("%s", result.error.message);
    return result.scene;
}

static inline pli_world *world_of(const pli_scene *scene)
{
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_world *world = NULL;
    pli_error error;
    if (pli_scene_create_world(scene, &def, &world, &error) != PLI_STATUS_OK)
        fail_msg("%s", error.message);
    return world;
}

static inline void step(const pli_scene *scene, pli_world *world, int32_t first, int32_t last)
{
    pli_error error;
    for (int32_t frame = first; frame < last; frame++)
        if (pli_scene_step(scene, world, frame, &error) != PLI_STATUS_OK)
            fail_msg("frame %d: %s", (int)frame, error.message);
}

// Position of a particle of the first deformable.
static inline const float *particle(const pli_world *world, int32_t index)
{
    pli_view view = pli_deformable_positions(world, pli_world_deformable_at(world, 0));
    return (const float *)(const void *)((const char *)view.data + (size_t)index * (size_t)view.stride);
}

static inline void assert_near(const float found[3], float x, float y, float z, float tolerance)
{
    float dx = found[0] - x, dy = found[1] - y, dz = found[2] - z;
    if (!(dx * dx + dy * dy + dz * dz <= tolerance * tolerance))
        fail_msg("found %.7g %.7g %.7g, expected %.7g %.7g %.7g", (double)found[0], (double)found[1], (double)found[2],
                 (double)x, (double)y, (double)z);
}

#endif
