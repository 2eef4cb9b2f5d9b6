// Loading scenes with all their findings.
#include "sources/scene_source.h"

#include "frame/terminal.h"

#include <stdlib.h>

bool pli_cli_scene_settings(pli_cli_scene_source *source, const pli_cli_arguments *arguments, int32_t option,
                            const char *command)
{
    source->setting_count = pli_cli_texts(arguments, option, source->settings, PLI_CLI_SETTINGS_MAX);
    if (source->setting_count <= PLI_CLI_SETTINGS_MAX)
        return true;
    pli_cli_complain(PLI_CLI_WRONG_USE, "%s: at most %d --set are taken", command, PLI_CLI_SETTINGS_MAX);
    return false;
}

pli_status pli_cli_scene_load(pli_cli_scene_source *source, pli_scene **scene, pli_error *error)
{
    pli_scene_load_def def = pli_scene_load_def_default();
    *scene = NULL;
    free(source->messages);
    source->messages = calloc(PLI_CLI_MESSAGES_MAX, sizeof *source->messages);
    source->message_count = source->found_count = 0;
    def.path = source->path;
    def.settings = source->settings;
    def.setting_count = source->setting_count;
    def.allow_outside = source->allow_outside;
    def.messages = source->messages;
    def.message_capacity = source->messages ? PLI_CLI_MESSAGES_MAX : 0;
    def.message_count = &source->found_count;
    pli_status status = pli_scene_load(&def, scene, error);
    source->message_count = source->found_count < def.message_capacity ? source->found_count : def.message_capacity;
    return status;
}

void pli_cli_scene_print(const pli_cli_scene_source *source, FILE *stream)
{
    for (int32_t i = 0; i < source->message_count; i++) {
        const pli_scene_message *m = &source->messages[i];
        fputs(source->path, stream);
        if (m->line > 0)
            fprintf(stream, ":%d:%d", (int)m->line, (int)m->column);
        fprintf(stream, ": %s: %s%s%s\n", m->warning ? "warning" : "error", m->path, m->path[0] ? ": " : "", m->text);
    }
    if (source->found_count > source->message_count)
        fprintf(stream, "%s: %d more findings\n", source->path, (int)(source->found_count - source->message_count));
}

void pli_cli_scene_source_release(pli_cli_scene_source *source)
{
    free(source->messages);
    source->messages = NULL;
}
