// Loads scenes for commands, with all diagnostics.
#include "sources/scene_source.h"

#include "frame/folders.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "support/printable.h"

#include <stdlib.h>

pli_status pli_cli_scene_load(pli_cli_scene_source *source, pli_scene **scene, pli_error *error)
{
    pli_scene_load_def def = pli_scene_load_def_default();
    *scene = NULL;
    free(source->messages);
    source->messages = calloc(PLI_CLI_MESSAGES_MAX, sizeof *source->messages);
    source->message_count = source->found_count = 0;
    def.path = source->path;
    def.overrides = source->settings;
    def.override_count = source->setting_count;
    def.allow_outside = source->allow_outside;
    if (source->talks)
        def.hooks.log = pli_cli_log;
    def.plugins = source->plugins.tables;
    def.plugin_count = source->plugins.count;
    def.diagnostics = source->messages;
    def.diagnostic_capacity = source->messages ? PLI_CLI_MESSAGES_MAX : 0;
    def.diagnostic_count = &source->found_count;
    pli_status status = pli_scene_load(&def, scene, error);
    source->message_count = source->found_count < def.diagnostic_capacity ? source->found_count
                                                                          : def.diagnostic_capacity;
    if (status != PLI_STATUS_OK || !pli_cli_json_lacked_memory())
        return status;
    pli_scene_destroy(*scene);
    *scene = NULL;
    return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory for the scene");
}

void pli_cli_scene_print(const pli_cli_scene_source *source, FILE *stream)
{
    char *path = pli_cli_format("%s", source->path);
    pli_make_printable(path, true);
    for (int32_t i = 0; i < source->message_count; i++) {
        const pli_scene_diagnostic *m = &source->messages[i];
        fputs(path, stream);
        if (m->line > 0)
            fprintf(stream, ":%d:%d", (int)m->line, (int)m->column);
        fprintf(stream, ": %s: %s%s%s\n", m->warning ? "warning" : "error", m->path, m->path[0] ? ": " : "", m->text);
    }
    if (source->found_count > source->message_count)
        fprintf(stream, "%s: %d more diagnostics\n", path, (int)(source->found_count - source->message_count));
    free(path);
}

void pli_cli_scene_source_release(pli_cli_scene_source *source)
{
    free(source->messages);
    source->messages = NULL;
}

// Settings and plugins.
static pli_cli_exit read_options(const pli_cli_arguments *arguments, const pli_cli_scene_task *task,
                                 pli_cli_scene_source *source)
{
    const pli_cli_exit code = pli_cli_texts_all(arguments, task->set, source->settings, PLI_CLI_SETTINGS_MAX,
                                                &source->setting_count);
    return code == PLI_CLI_DONE ? pli_cli_plugins_open(arguments, task->plugin, &source->plugins) : code;
}

static pli_cli_exit do_task(const pli_cli_arguments *arguments, const pli_cli_scene_task *task,
                            pli_cli_scene_source *source)
{
    pli_scene *scene;
    pli_error error;
    pli_cli_exit code = PLI_CLI_FAILURE;
    pli_status status = pli_cli_scene_load(source, &scene, &error);
    if (!task->report)
        pli_cli_scene_print(source, stderr);
    if (task->report)
        code = task->report(arguments, source, scene, &error);
    else if (status == PLI_STATUS_OK)
        code = task->use(arguments, source, scene);
    else if (source->message_count == 0)
        pli_cli_complain(code, "%s", error.message);
    pli_scene_destroy(scene);
    pli_cli_scene_source_release(source);
    return code;
}

pli_cli_exit pli_cli_with_scene(const pli_cli_arguments *arguments, const pli_cli_scene_task *task)
{
    char *named = task->made ? NULL : pli_cli_named_scene(arguments->operands[0]);
    pli_cli_scene_source source = {.path = task->made ? task->made
                                           : named    ? named
                                                      : arguments->operands[0],
                                   .talks = task->talks,
                                   .allow_outside = task->made || pli_cli_flag(arguments, task->allow_outside)};
    pli_cli_exit code = read_options(arguments, task, &source);
    if (code == PLI_CLI_DONE)
        code = do_task(arguments, task, &source);
    free(named);
    return code;
}
