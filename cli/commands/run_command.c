// pliant run: simulates a scene and writes caches, pictures, a video and a summary.
#include "run/simulation.h"

#include "run/checkpoint.h"
#include "frame/options.h"
#include "frame/signals.h"
#include "frame/terminal.h"
#include "frame/folders.h"
#include "frame/strings.h"
#include "sources/fitted_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_OUTPUT,
    OPTION_AS,
    OPTION_FRAMES,
    OPTION_THREADS,
    OPTION_SIMD,
    OPTION_SET,
    OPTION_FORMAT,
    OPTION_RECORD,
    OPTION_RENDER,
    OPTION_VIDEO,
    OPTION_SIZE,
    OPTION_QUALITY,
    OPTION_RESUME,
    OPTION_CHECKPOINT_EVERY,
    OPTION_TIME_LIMIT,
    OPTION_COOKED,
    OPTION_EXPECT,
    OPTION_VERIFY,
    OPTION_SETTLE,
    OPTION_ALLOW_OUTSIDE,
    OPTION_PLUGIN,
    OPTION_JSON,
    OPTION_QUIET,
};

enum { CHECKPOINT_EVERY = 50 };
static const char default_format[] = "gltf", default_format_of_torn[] = "obj";
static const char *const videos[] = {"mp4", "webm", "webp", "none"};

static const char *simd_name(int32_t i) { return i < PLI_SIMD_COUNT ? pli_choice_name("simd", i) : NULL; }

static const char *video_name(int32_t i) { return i < PLI_CLI_COUNT(videos) ? videos[i] : NULL; }

static const char no_format[] = "none";

static const char *format_name(int32_t i)
{
    const pli_cache_format *format = pli_cache_format_at(i);
    return format ? format->name : i == pli_cache_format_count() ? no_format : NULL;
}

static void add_format(pli_cli_run_def *def, const char *name)
{
    if (strcmp(name, no_format) == 0)
        return;
    for (int32_t i = 0; i < def->format_count; i++)
        if (strcmp(def->formats[i], name) == 0)
            return;
    if (def->format_count < PLI_CLI_FORMATS_MAX)
        def->formats[def->format_count++] = name;
}

// The video format: from the command line, else from the scene, else one that most programs open.
static void choose_formats(const char *given, pli_cli_run_def *def)
{
    const bool asked = given != NULL;
    while (given && *given) {
        size_t length = strcspn(given, ",");
        add_format(def, format_name(pli_cli_choice_find(given, length, format_name)));
        given += length + (given[length] == ',');
    }
    for (int32_t i = 0; !asked && i < pli_scene_format_count(def->scene); i++)
        add_format(def, pli_scene_format(def->scene, i));
    if (!asked && def->format_count == 0)
        add_format(def, pli_scene_tears(def->scene) ? default_format_of_torn : default_format);
}

static void fill(const pli_cli_arguments *arguments, pli_cli_run_def *def)
{
    int32_t video = pli_cli_choice(arguments, OPTION_VIDEO), simd = pli_cli_choice(arguments, OPTION_SIMD);
    def->frame_count = pli_cli_whole(arguments, OPTION_FRAMES, pli_scene_frame_count(def->scene));
    def->thread_count = pli_cli_whole(arguments, OPTION_THREADS, 0);
    def->simd = simd < 0 ? PLI_SIMD_AUTO : (pli_simd)simd;
    def->film = pli_cli_flag(arguments, OPTION_RENDER) || video >= 0;
    def->video = video < 0 ? videos[0] : strcmp(videos[video], "none") == 0 ? NULL : videos[video];
    def->checkpoint_every = pli_cli_whole(arguments, OPTION_CHECKPOINT_EVERY, CHECKPOINT_EVERY);
    def->time_limit = pli_cli_whole(arguments, OPTION_TIME_LIMIT, 0);
    def->figures = pli_cli_text(arguments, OPTION_RECORD);
    def->cooked = pli_cli_text(arguments, OPTION_COOKED);
    def->resume = pli_cli_flag(arguments, OPTION_RESUME);
    def->compare = pli_cli_flag(arguments, OPTION_EXPECT);
    def->verify = pli_cli_flag(arguments, OPTION_VERIFY);
    pli_cli_numbers(arguments, OPTION_SETTLE, &def->settle, 1);
    def->quiet = pli_cli_flag(arguments, OPTION_QUIET);
    pli_cli_size(arguments, OPTION_SIZE, &def->width, &def->height);
    def->quality = pli_cli_quality_chosen(arguments, OPTION_QUALITY);
    choose_formats(pli_cli_text(arguments, OPTION_FORMAT), def);
}

static pli_cli_exit report_expectations(const char *path, const pli_cli_expectations *e)
{
    const json_t *failed = e->scene ? pli_cli_expectations_failed(e) : NULL;
    if (!failed)
        return PLI_CLI_DONE;
    char *text = pli_cli_expectation_text(failed);
    pli_cli_exit code = pli_cli_complain(PLI_CLI_FAILURE, "%s: not as the scene expects: %s", path, text);
    free(text);
    return code;
}

static pli_cli_exit report(const pli_cli_arguments *arguments, const pli_cli_run *run, pli_status status,
                           const pli_error *error)
{
    pli_cli_exit code = PLI_CLI_DONE;
    const char *path = arguments->operands[0];
    if (status == PLI_STATUS_NON_FINITE)
        code = pli_cli_complain(PLI_CLI_BLEW_UP, "%s: diverged in frame %d: %s. Frame %d is the last in the files",
                                path, (int)run->outcome.frame + 1, error->message, (int)run->outcome.frame);
    else if (status == PLI_STATUS_CANCELLED)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error->message);
    else if (status != PLI_STATUS_OK)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s: %s", path, error->message);
    if (strcmp(run->outcome.status, "running") == 0)
        return code;
    if (code == PLI_CLI_DONE)
        code = report_expectations(path, &run->expectations);
    if (pli_cli_flag(arguments, OPTION_JSON)) {
        pli_cli_exit printed = pli_cli_print_json(pli_cli_summary_json(&run->outcome));
        return code == PLI_CLI_DONE ? printed : code;
    }
    if (!pli_cli_flag(arguments, OPTION_QUIET))
        pli_cli_summary_print(&run->outcome);
    return code;
}

// The folder and the name of a run, to be freed.
static char *folder_of(const pli_cli_arguments *arguments, const char *path, char **name)
{
    *name = pli_cli_stem(path);
    pli_cli_name_clean(*name);
    const char *output = pli_cli_text(arguments, OPTION_OUTPUT);
    char *folder = output ? pli_cli_format("%s", output) : pli_cli_format("out/%s", *name);
    size_t length = strlen(folder);
    while (length > 1 && folder[length - 1] == '/')
        folder[--length] = '\0';
    return folder;
}

static pli_cli_exit run_scene(const pli_cli_arguments *arguments, pli_cli_scene_source *source, const pli_scene *scene)
{
    char *name, *folder = folder_of(arguments, source->path, &name);
    pli_cli_run_def def = {.source = source, .scene = scene, .folder = folder, .name = name};
    pli_cli_run run;
    pli_error error;
    fill(arguments, &def);
    pli_cli_cancel_listen();
    pli_status status = pli_cli_run_all(&def, &run, &error);
    pli_cli_exit code = report(arguments, &run, status, &error);
    pli_cli_run_release(&run);
    free(folder);
    free(name);
    return code;
}

static pli_status make_scene(const pli_cli_arguments *arguments, char **path, pli_error *error)
{
    char *name, *folder = folder_of(arguments, arguments->operands[0], &name);
    pli_status status = pli_cli_fitted_for(arguments->operands[0], folder, pli_cli_guess_kind(arguments, OPTION_AS),
                                           pli_cli_flag(arguments, OPTION_QUIET), path, error);
    free(folder);
    free(name);
    return status;
}

// Checked before the scene is loaded, since loading would only report that the types of a missing plugin are unknown.
static pli_cli_exit check_resumed(const pli_cli_arguments *arguments)
{
    pli_cli_plugins plugins;
    pli_error error;
    pli_cli_exit code = pli_cli_plugins_open(arguments, OPTION_PLUGIN, &plugins);
    char *name, *folder = folder_of(arguments, arguments->operands[0], &name);
    char *path = pli_cli_format("%s/checkpoint.pli", folder);
    if (code == PLI_CLI_DONE && pli_cli_checkpoint_check_plugins(path, &plugins, &error) != PLI_STATUS_OK)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    free(path);
    free(folder);
    free(name);
    return code;
}

static pli_cli_exit run_run(const pli_cli_arguments *arguments)
{
    pli_cli_scene_task task = {OPTION_SET, OPTION_ALLOW_OUTSIDE, OPTION_PLUGIN,
                               .talks = !pli_cli_flag(arguments, OPTION_QUIET), .use = run_scene};
    char *made = NULL;
    pli_error error;
    pli_cli_exit checked = pli_cli_flag(arguments, OPTION_RESUME) ? check_resumed(arguments) : PLI_CLI_DONE;
    if (checked != PLI_CLI_DONE)
        return checked;
    if (pli_cli_is_mesh_file(arguments->operands[0]) && make_scene(arguments, &made, &error) != PLI_STATUS_OK) {
        free(made);
        return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    }
    task.made = made;
    if (made && !pli_cli_flag(arguments, OPTION_QUIET) && !pli_cli_flag(arguments, OPTION_JSON))
        printf("The scene for this mesh is %s; `pliant new` makes one with pins and another scale.\n", made);
    pli_cli_exit code = pli_cli_with_scene(arguments, &task);
    free(made);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "SCENE", .summary = "A scene file (.json), or a mesh file, for which one is made", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_AS] = PLI_CLI_OPTION_AS,
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FOLDER,
                       .value = "DIR",
                       .summary = "Where the files go (default: out/ and the scene's name)"},
    [OPTION_FRAMES] = {.name = "frames",
                       .letter = 'n',
                       .kind = PLI_CLI_WHOLE,
                       .value = "N",
                       .maximum = 10000000,
                       .summary = "Simulate this many frames (default: as the scene says)"},
    [OPTION_THREADS] = {.name = "threads",
                        .letter = 't',
                        .kind = PLI_CLI_WHOLE,
                        .value = "N",
                        .minimum = 1,
                        .maximum = 64,
                        .summary = "Number of threads; does not change results"},
    [OPTION_SIMD] = {.name = "simd",
                     .kind = PLI_CLI_CHOICE,
                     .value = "NAME",
                     .choice = simd_name,
                     .summary = "SIMD instructions to use; do not change results"},
    [OPTION_SET] = PLI_CLI_OPTION_SET("Set a value of the scene, such as settings.substeps=20; may be repeated"),
    [OPTION_FORMAT] = {.name = "format",
                       .letter = 'f',
                       .kind = PLI_CLI_CHOICES,
                       .value = "LIST",
                       .choice = format_name,
                       .summary = "Caches to write, between commas (default: as the scene says, or gltf)"},
    [OPTION_RECORD] = {.name = "record",
                       .kind = PLI_CLI_FILE,
                       .value = "FILE.csv",
                       .summary =
                           "Write a row of figures for each frame: energies by type, momenta, stretch, residuals, "
                           "contacts, ms by stage; `pliant plot` draws them"},
    [OPTION_RENDER] = {.name = "render",
                       .letter = 'r',
                       .kind = PLI_CLI_FLAG,
                       .summary = "Render every frame to frames/frame_0000.png, frame_0001.png, ... and a video"},
    [OPTION_VIDEO] = {.name = "video",
                      .kind = PLI_CLI_CHOICE,
                      .value = "KIND",
                      .choice = video_name,
                      .summary = "Format of the video; implies --render (default: mp4)"},
    [OPTION_SIZE] = {.name = "size",
                     .kind = PLI_CLI_SIZE,
                     .value = "WxH",
                     .minimum = 16,
                     .maximum = 8192,
                     .summary = "Size of pictures and video in pixels (default: as the scene says)"},
    [OPTION_QUALITY] = PLI_CLI_OPTION_QUALITY,
    [OPTION_RESUME] = {.name = "resume",
                       .kind = PLI_CLI_FLAG,
                       .summary = "Resume from the last checkpoint in DIR, with bit-identical results"},
    [OPTION_CHECKPOINT_EVERY] = {.name = "checkpoint-every",
                                 .kind = PLI_CLI_WHOLE,
                                 .value = "N",
                                 .minimum = 1,
                                 .maximum = 1000000,
                                 .summary = "Frames between checkpoints (default: 50)"},
    [OPTION_TIME_LIMIT] = {.name = "time-limit",
                           .kind = PLI_CLI_WHOLE,
                           .value = "S",
                           .minimum = 1,
                           .maximum = 1000000000,
                           .summary = "End the run after S seconds as Ctrl-C does, also inside of a step"},
    [OPTION_COOKED] = {.name = "cooked",
                       .kind = PLI_CLI_FILE,
                       .value = "FILE",
                       .summary = "Read the constraint sets that `pliant cook` wrote for this scene"},
    [OPTION_EXPECT] = {.name = "expect",
                       .kind = PLI_CLI_FLAG,
                       .summary = "Compare with the scene's section \"expect\", intersections in every frame included; "
                                  "exits with 1 if something does not hold"},
    [OPTION_VERIFY] = {.name = "verify",
                       .kind = PLI_CLI_FLAG,
                       .summary = "Count the triangles that intersect in every frame, exactly; the first frame with "
                                  "any ends the run with status 1, and is reported with the faces and the position"},
    [OPTION_ALLOW_OUTSIDE] = PLI_CLI_OPTION_ALLOW_OUTSIDE,
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print the summary as one JSON object"),
    [OPTION_SETTLE] = {.name = "settle",
                       .kind = PLI_CLI_NUMBERS,
                       .value = "SPEED",
                       .minimum = 1,
                       .summary = "Bring the scene to rest before frame 0, until nothing is faster than SPEED m/s"},
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("No progress and no summary; errors only"),
};

static const pli_cli_example examples[] = {
    {"pliant run scenes/first.json --render", "Simulate and draw; the video is out/first/first.mp4"},
    {"pliant run scenes/first.json -o here --format pc2,vtkhdf --frames 60",
     "Sixty frames, as a cache for Blender and one for ParaView"},
    {"pliant run scenes/first.json --set settings.substeps=20 --set deformables.cloth.density=0.5 --json",
     "With other values, and the summary for a program"},
    {"pliant run bunny.obj --render", "Any mesh, with values that fit it"},
    {"pliant run scenes/first.json --expect", "Does the cloth do what the scene says it must?"},
    {"pliant run scenes/first.json --verify", "Does anything go through anything in any frame?"},
    {"pliant run ropes.json --plugin ./ropes.so", "With constraint types of your own"},
    {"pliant run scenes/first.json --resume", "Continue after Ctrl-C, a crash or a power cut"},
};

const pli_cli_command pli_cli_row_run = {
    .name = "run",
    .summary = "Simulate a scene and write caches, pictures and a summary",
    .description =
        "Simulates a scene. DIR gets the caches, summary.json, checkpoints and, with --render, pictures and a video. "
        "Ctrl-C finishes the frame and closes all files; a second one ends immediately. SIGTERM, a terminal that "
        "closes (unless under nohup) and a soft limit of processor time ask for the same. Exits with 3 when the "
        "simulation blew up: the frames before that are kept.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_run,
};
