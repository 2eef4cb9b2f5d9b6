// Scenes as the command line names them: a file, with --set, --allow-outside and --plugin.
#ifndef PLI_CLI_SCENE_SOURCE_H
#define PLI_CLI_SCENE_SOURCE_H

#include "frame/options.h"
#include "sources/plugins.h"

#include <pliant/scene.h>

#include <stdio.h>

// The options that go with a scene, as rows of a command's table.
#define PLI_CLI_OPTION_SET(text)                                                                                       \
    {                                                                                                                  \
        .name = "set", .letter = 's', .kind = PLI_CLI_TEXT, .value = "PATH=VALUE", .summary = text                     \
    }
#define PLI_CLI_OPTION_ALLOW_OUTSIDE                                                                                   \
    {                                                                                                                  \
        .name = "allow-outside", .kind = PLI_CLI_FLAG, .summary = "Let the scene name files outside its folder"        \
    }

enum { PLI_CLI_SETTINGS_MAX = 256, PLI_CLI_MESSAGES_MAX = 200 };

typedef struct pli_cli_scene_source {
    const char *path;
    const char *settings[PLI_CLI_SETTINGS_MAX];
    int32_t setting_count;
    bool allow_outside;
    bool talks; // Whether long operations before the first frame are reported on stderr.
    pli_cli_plugins plugins;
    pli_scene_diagnostic *messages; // [PLI_CLI_MESSAGES_MAX]; free with pli_cli_scene_source_release.
    int32_t message_count;          // Messages filled.
    int32_t found_count;            // Number of all diagnostics, also beyond the capacity.
} pli_cli_scene_source;

// Loads the scene; the caller sets path, settings, allow_outside, talks and plugins before. `scene` is null on failure.
pli_status pli_cli_scene_load(pli_cli_scene_source *source, pli_scene **scene, pli_error *error);
// A task of a command that uses the scene of its first operand.
typedef struct pli_cli_scene_task {
    int32_t set, allow_outside, plugin; // Indices of these options in the command's table.
    bool talks;                         // As in the source.
    const char *made; // A scene that was generated for the operand, and may name files outside its folder; or null.
    // Called with the loaded scene, after its diagnostics were printed on stderr.
    pli_cli_exit (*use)(const pli_cli_arguments *arguments, pli_cli_scene_source *source, const pli_scene *scene);
    // Called instead of `use` and of printing, for every outcome; with a null scene and the error if the scene was rejected.
    pli_cli_exit (*report)(const pli_cli_arguments *arguments, const pli_cli_scene_source *source,
                           const pli_scene *scene, const pli_error *error);
} pli_cli_scene_task;

// Loads the scene of the command line, runs the task and releases the scene.
pli_cli_exit pli_cli_with_scene(const pli_cli_arguments *arguments, const pli_cli_scene_task *task);
// Prints the diagnostics as FILE:LINE:COLUMN: error: PATH: TEXT.
void pli_cli_scene_print(const pli_cli_scene_source *source, FILE *stream);
void pli_cli_scene_source_release(pli_cli_scene_source *source);

#endif
