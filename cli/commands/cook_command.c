// pliant cook: writes the precomputed constraint sets of a scene, so that a run need not compute them.
#include "frame/options.h"
#include "frame/terminal.h"
#include "frame/folders.h"
#include "sources/scene_source.h"
#include "frame/strings.h"

#include <stdlib.h>

enum { OPTION_OUTPUT, OPTION_SET, OPTION_ALLOW_OUTSIDE, OPTION_PLUGIN, OPTION_QUIET };

static pli_status write_world(const pli_world *world, const char *path, size_t *size, pli_error *error)
{
    *size = pli_world_cooked_size(world);
    void *bytes = malloc(*size);
    pli_status status = bytes ? pli_world_cooked_write(world, bytes, *size, error)
                              : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory: %zu bytes of cooked sets",
                                             *size);
    if (status == PLI_STATUS_OK)
        status = pli_cli_file_write(path, (const void *const[]){bytes}, (const size_t[]){*size}, 1, error);
    free(bytes);
    return status;
}

static pli_cli_exit cook_scene(const pli_cli_arguments *arguments, pli_cli_scene_source *source, const pli_scene *scene)
{
    char *name = pli_cli_stem(source->path);
    const char *output = pli_cli_text(arguments, OPTION_OUTPUT);
    char *path = output ? pli_cli_format("%s", output) : pli_cli_format("%s.plicook", name);
    pli_scene_world_def def = pli_scene_world_def_default();
    pli_world *world = NULL;
    pli_error error;
    size_t size = 0;
    if (source->talks)
        def.hooks.log = pli_cli_log;
    pli_status status = pli_scene_create_world(scene, &def, &world, &error);
    if (status == PLI_STATUS_OK)
        status = write_world(world, path, &size, &error);
    if (status == PLI_STATUS_OK && !pli_cli_flag(arguments, OPTION_QUIET))
        printf("%s: %d constraint sets, %zu bytes\n", path, (int)pli_world_constraints_count(world), size);
    pli_world_destroy(world);
    free(path);
    free(name);
    return status == PLI_STATUS_OK ? PLI_CLI_DONE : pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
}

static pli_cli_exit run_cook(const pli_cli_arguments *arguments)
{
    const pli_cli_scene_task task = {OPTION_SET, OPTION_ALLOW_OUTSIDE, OPTION_PLUGIN,
                                     .talks = !pli_cli_flag(arguments, OPTION_QUIET), .use = cook_scene};
    return pli_cli_with_scene(arguments, &task);
}

static const pli_cli_operand operands[] = {
    {.name = "SCENE", .summary = "A scene file (.json)", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FILE,
                       .value = "FILE",
                       .summary = "Where it goes (default: the scene's name and .plicook, here)"},
    [OPTION_SET] = PLI_CLI_OPTION_SET("Cook with this value in the scene; may be repeated"),
    [OPTION_ALLOW_OUTSIDE] = PLI_CLI_OPTION_ALLOW_OUTSIDE,
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("Errors only"),
};

static const pli_cli_example examples[] = {
    {"pliant cook scenes/first.json -o first.plicook", "Schedules and rest values of all its constraints"},
    {"pliant run scenes/first.json --cooked first.plicook", "The same run, bit-identical, without cooking"},
};

const pli_cli_command pli_cli_row_cook = {
    .name = "cook",
    .summary = "Precompute a scene's constraint sets so that runs start faster",
    .description =
        "Writes the cooked form of a scene's constraint sets: their schedule, order and rest values. `pliant run "
        "--cooked` reads it instead of computing them. The file is valid for the same meshes, constraint types and "
        "generators; stiffnesses, masses, colliders and everything else may change. Scenes that tear cannot be "
        "cooked.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_cook,
};
