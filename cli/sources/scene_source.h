// Scenes as the command line names them: a file, with --set and --allow-outside.
#ifndef PLI_CLI_SCENE_SOURCE_H
#define PLI_CLI_SCENE_SOURCE_H

#include "frame/options.h"

#include <pliant/scene.h>

#include <stdio.h>

enum { PLI_CLI_SETTINGS_MAX = 256, PLI_CLI_MESSAGES_MAX = 200 };

typedef struct pli_cli_scene_source {
    const char *path;
    const char *settings[PLI_CLI_SETTINGS_MAX];
    int32_t setting_count;
    bool allow_outside;
    pli_scene_message *messages; // [PLI_CLI_MESSAGES_MAX]; free with pli_cli_scene_source_release.
    int32_t message_count;       // How many of them are filled.
    int32_t found_count;         // How many findings there are in all.
} pli_cli_scene_source;

// Takes the values of the option --set. False, with a complaint in the name of the command, when there are too many.
bool pli_cli_scene_settings(pli_cli_scene_source *source, const pli_cli_arguments *arguments, int32_t option,
                            const char *command);
// Loads; path, settings and allow_outside are filled before. `scene` is null on failure.
pli_status pli_cli_scene_load(pli_cli_scene_source *source, pli_scene **scene, pli_error *error);
// Prints the findings as FILE:LINE:COLUMN: error: PATH: TEXT.
void pli_cli_scene_print(const pli_cli_scene_source *source, FILE *stream);
void pli_cli_scene_source_release(pli_cli_scene_source *source);

#endif
