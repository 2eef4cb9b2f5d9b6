// pliant check: every diagnostic of a scene, without running it.
#include "frame/options.h"
#include "frame/terminal.h"
#include "run/stiffness_report.h"
#include "sources/scene_source.h"

#include <pliant/check.h>

enum { OPTION_SET, OPTION_ALLOW_OUTSIDE, OPTION_PLUGIN, OPTION_JSON };

// The world of a scene at its start; null when the scene is rejected, or when its world cannot be created, as `error` then explains.
static pli_world *world_of(const pli_scene *scene, pli_error *error)
{
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_world *world = NULL;
    def.hooks.log = pli_cli_log;
    return scene && pli_scene_create_world(scene, &def, &world, error) == PLI_STATUS_OK ? world : NULL;
}

// The path of the object in the scene that a finding is about.
static void path_of(pli_world *world, const pli_finding *finding, char *path, size_t size)
{
    int32_t i = 0;
    const bool is_collider = finding->deformable.id == 0;
    while (is_collider ? pli_world_collider_at(world, i).id != finding->collider.id
                       : pli_world_deformable_at(world, i).id != finding->deformable.id)
        i++;
    snprintf(path, size, is_collider ? "colliders[%d]" : "deformables[%d]", (int)i);
}

static int32_t finding_count(const pli_scene *scene, pli_world *world)
{
    int32_t count = 0;
    if (world)
        pli_world_check(world, 1.0 / pli_scene_frames_per_second(scene), &count, NULL);
    return count;
}

static json_t *effective_stiffness_json(const pli_scene *scene, pli_world *world, json_t *messages)
{
    json_t *all = json_array();
    char path[40];
    for (int32_t i = 0; world && i < pli_world_deformable_count(world); i++) {
        const pli_deformable deformable = pli_world_deformable_at(world, i);
        json_t *one = pli_cli_effective_stiffness_json(world, deformable, 1.0 / pli_scene_frames_per_second(scene));
        if (json_is_object(one))
            json_object_set_new(one, "deformable", pli_cli_json_text(pli_deformable_name(world, deformable)));
        json_array_append_new(all, one);
    }
    const int32_t count = finding_count(scene, world);
    for (int32_t i = 0; i < count; i++) {
        const pli_finding *finding = pli_world_finding_at(world, i);
        path_of(world, finding, path, sizeof path);
        json_array_append_new(messages,
                              json_pack("{s:i, s:i, s:s, s:s, s:s, s:s, s:f}", "line", 0, "column", 0, "severity",
                                        "warning", "path", path, "text", finding->text, "kind",
                                        pli_choice_name("finding", (int32_t)finding->kind), "value", finding->value));
    }
    return all;
}

static void print_effective_stiffness(const pli_scene *scene, pli_world *world, const char *file)
{
    char text[400], path[40];
    const int32_t count = finding_count(scene, world);
    for (int32_t i = 0; i < count; i++) {
        path_of(world, pli_world_finding_at(world, i), path, sizeof path);
        printf("%s: warning: %s: %s\n", file, path, pli_world_finding_at(world, i)->text);
    }
    for (int32_t i = 0; world && i < pli_world_deformable_count(world); i++)
        if (pli_cli_effective_stiffness_text(world, pli_world_deformable_at(world, i),
                                             1.0 / pli_scene_frames_per_second(scene), text, sizeof text))
            printf("%s: deformables[%d]: %s\n", file, (int)i, text);
}

static json_t *diagnostics_json(const pli_cli_scene_source *source, const pli_scene *scene, pli_world *world,
                                const pli_error *error)
{
    json_t *messages = json_array();
    for (int32_t i = 0; i < source->message_count; i++) {
        const pli_scene_diagnostic *m = &source->messages[i];
        json_array_append_new(messages, json_pack("{s:i, s:i, s:s, s:s, s:s}", "line", (int)m->line, "column",
                                                  (int)m->column, "severity", m->warning ? "warning" : "error", "path",
                                                  m->path, "text", m->text));
    }
    json_t *stiffness = effective_stiffness_json(scene, world, messages);
    return json_pack("{s:s, s:b, s:o, s:o, s:o}", "scene", source->path, "valid", world != NULL, "messages", messages,
                     "effective_stiffness", stiffness, "error", world ? json_null() : json_string(error->message));
}

static pli_cli_exit print_report(const pli_cli_scene_source *source, const pli_scene *scene, pli_world *world,
                                 const pli_error *error)
{
    pli_cli_scene_print(source, stdout);
    if (world) {
        print_effective_stiffness(scene, world, source->path);
        printf("%s: OK: \"%s\", %d frames at %g frames/s\n", source->path, pli_scene_title(scene),
               (int)pli_scene_frame_count(scene), pli_scene_frames_per_second(scene));
        return PLI_CLI_DONE;
    }
    if (scene || source->message_count == 0)
        pli_cli_complain(PLI_CLI_FAILURE, scene ? "%s: %s" : "%s%s", scene ? source->path : "", error->message);
    return PLI_CLI_FAILURE;
}

// A world that `run` could not create is an error here too.
static pli_cli_exit report(const pli_cli_arguments *arguments, const pli_cli_scene_source *source,
                           const pli_scene *scene, const pli_error *error)
{
    pli_error refusal = *error;
    pli_world *world = world_of(scene, &refusal);
    pli_cli_exit code;
    if (pli_cli_flag(arguments, OPTION_JSON)) {
        code = pli_cli_print_json(diagnostics_json(source, scene, world, &refusal));
        code = world ? code : PLI_CLI_FAILURE;
    } else {
        code = print_report(source, scene, world, &refusal);
    }
    pli_world_destroy(world);
    return code;
}

static pli_cli_exit run_check(const pli_cli_arguments *arguments)
{
    const pli_cli_scene_task task = {OPTION_SET, OPTION_ALLOW_OUTSIDE, OPTION_PLUGIN, .talks = true, .report = report};
    return pli_cli_with_scene(arguments, &task);
}

static const pli_cli_operand operands[] = {
    {.name = "SCENE", .summary = "A scene file (.json)", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_SET] = PLI_CLI_OPTION_SET("Check with this value in the scene; may be repeated"),
    [OPTION_ALLOW_OUTSIDE] = PLI_CLI_OPTION_ALLOW_OUTSIDE,
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print one JSON object"),
};

static const pli_cli_example examples[] = {
    {"pliant check scenes/first.json",
     "Unknown keys, wrong units and ranges, missing files, each with line and column"},
    {"pliant check scenes/first.json --set settings.substeps=0", "Would this change be accepted?"},
};

const pli_cli_command pli_cli_row_check = {
    .name = "check",
    .summary = "Validate a scene without running it",
    .description =
        "Checks a scene: unknown keys with the nearest known one, wrong units and ranges, missing files. Diagnostics "
        "are printed as FILE:LINE:COLUMN: error: PATH: TEXT, which editors understand. Then it lists what "
        "pli_world_check finds, each with its cure: objects that touch, starts inside of colliders, stiffness that "
        "does not act, loads, thin shapes, thickness; and the effective rigidities and tensile stiffnesses.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_check,
};
