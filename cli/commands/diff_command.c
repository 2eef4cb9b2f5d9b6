// pliant diff: finds where two runs diverge.
#include "diff/cache_diff.h"
#include "diff/scene_diff.h"
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/signals.h"
#include "frame/strings.h"
#include "frame/terminal.h"

#include <stdlib.h>
#include <string.h>

enum {
    OPTION_SET,
    OPTION_SET_A,
    OPTION_SET_B,
    OPTION_THREADS_A,
    OPTION_THREADS_B,
    OPTION_SIMD_A,
    OPTION_SIMD_B,
    OPTION_FRAMES,
    OPTION_ALLOW_OUTSIDE,
    OPTION_PLUGIN,
    OPTION_QUIET,
    OPTION_JSON
};

// The exit status that other commands use for failures means here that the runs differ.
static const pli_cli_exit different = PLI_CLI_FAILURE, failed = PLI_CLI_WRONG_USE;

static const char *simd_name(int32_t i) { return i < PLI_SIMD_COUNT ? pli_choice_name("simd", i) : NULL; }

static bool is_scene(const char *path) { return strcmp(pli_cli_extension(path), "json") == 0; }

/* ---- scenes --------------------------------------------------------------------------------- */

// The settings of one side: first the common ones, then its own, which take precedence.
static bool fill_settings(const pli_cli_arguments *arguments, int32_t own, pli_cli_scene_source *source)
{
    const int32_t both = pli_cli_texts(arguments, OPTION_SET, source->settings, PLI_CLI_SETTINGS_MAX);
    if (both > PLI_CLI_SETTINGS_MAX)
        return false;
    const int32_t room = PLI_CLI_SETTINGS_MAX - both;
    const int32_t more = pli_cli_texts(arguments, own, source->settings + both, room);
    source->setting_count = both + more;
    return more <= room;
}

static pli_cli_exit load(const pli_cli_arguments *arguments, int32_t side, pli_cli_scene_source *source,
                         pli_scene **scene)
{
    pli_error error;
    source->path = arguments->operands[side];
    source->allow_outside = pli_cli_flag(arguments, OPTION_ALLOW_OUTSIDE);
    if (!fill_settings(arguments, side ? OPTION_SET_B : OPTION_SET_A, source))
        return pli_cli_complain(failed, "diff: at most %d values may be set", PLI_CLI_SETTINGS_MAX);
    if (pli_cli_plugins_open(arguments, OPTION_PLUGIN, &source->plugins) != PLI_CLI_DONE)
        return failed;
    pli_status status = pli_cli_scene_load(source, scene, &error);
    if (status == PLI_STATUS_OK)
        return PLI_CLI_DONE;
    pli_cli_scene_print(source, stderr);
    return source->message_count == 0 ? pli_cli_complain(failed, "%s", error.message) : failed;
}

// The name of a side in the report: its path and its settings.
static char *describe(const pli_cli_scene_source *source, const pli_cli_diff_side *side)
{
    char *text = pli_cli_format("%s", source->path);
    for (int32_t i = 0; i < source->setting_count + 2; i++) {
        char *more = NULL;
        if (i < source->setting_count)
            more = pli_cli_format("%s, %s", text, source->settings[i]);
        else if (i == source->setting_count && side->thread_count > 0)
            more = pli_cli_format("%s, %d threads", text, (int)side->thread_count);
        else if (i > source->setting_count && side->simd != PLI_SIMD_AUTO)
            more = pli_cli_format("%s, %s", text, pli_choice_name("simd", (int32_t)side->simd));
        if (more) {
            free(text);
            text = more;
        }
    }
    return text;
}

static pli_cli_exit tell(const pli_cli_arguments *arguments, const pli_cli_difference *d, const char *a, const char *b)
{
    const pli_cli_exit code = d->found ? different : PLI_CLI_DONE;
    if (pli_cli_flag(arguments, OPTION_JSON))
        return pli_cli_print_json(pli_cli_difference_json(d, a, b)) == PLI_CLI_DONE ? code : failed;
    if (!pli_cli_flag(arguments, OPTION_QUIET))
        pli_cli_difference_print(d, a, b);
    return pli_cli_flush(PLI_CLI_DONE) == PLI_CLI_DONE ? code : failed;
}

static pli_cli_exit diff_worlds(const pli_cli_arguments *arguments, const pli_cli_scene_source *sources,
                                pli_scene *const *scenes)
{
    pli_cli_diff_side sides[2];
    pli_cli_difference difference;
    pli_error error;
    for (int32_t i = 0; i < 2; i++) {
        const int32_t simd = pli_cli_choice(arguments, i ? OPTION_SIMD_B : OPTION_SIMD_A);
        sides[i] = (pli_cli_diff_side){
            .scene = scenes[i],
            .thread_count = pli_cli_whole(arguments, i ? OPTION_THREADS_B : OPTION_THREADS_A, 0),
            .simd = simd < 0 ? PLI_SIMD_AUTO : (pli_simd)simd,
        };
    }
    const bool quiet = pli_cli_flag(arguments, OPTION_QUIET) || pli_cli_flag(arguments, OPTION_JSON);
    pli_cli_cancel_listen();
    pli_status status = pli_cli_scene_diff(sides, pli_cli_whole(arguments, OPTION_FRAMES, -1), quiet, &difference,
                                           &error);
    if (status != PLI_STATUS_OK)
        return pli_cli_complain(failed, "%s", error.message);
    char *a = describe(&sources[0], &sides[0]), *b = describe(&sources[1], &sides[1]);
    const pli_cli_exit code = tell(arguments, &difference, a, b);
    free(a);
    free(b);
    return code;
}

static pli_cli_exit diff_scenes(const pli_cli_arguments *arguments)
{
    pli_cli_scene_source *sources = calloc(2, sizeof *sources);
    pli_scene *scenes[2] = {NULL, NULL};
    if (!sources)
        return pli_cli_complain(failed, "out of memory");
    pli_cli_exit code = load(arguments, 0, &sources[0], &scenes[0]);
    if (code == PLI_CLI_DONE)
        code = load(arguments, 1, &sources[1], &scenes[1]);
    if (code == PLI_CLI_DONE)
        code = diff_worlds(arguments, sources, scenes);
    for (int32_t i = 0; i < 2; i++) {
        pli_scene_destroy(scenes[i]);
        pli_cli_scene_source_release(&sources[i]);
    }
    free(sources);
    return code;
}

/* ---- recordings ----------------------------------------------------------------------------- */

static pli_cli_exit diff_caches(const pli_cli_arguments *arguments)
{
    const char *a = arguments->operands[0], *b = arguments->operands[1];
    pli_cli_difference difference;
    pli_error error;
    for (int32_t i = 0; i < arguments->given_count; i++) {
        const int32_t option = (int32_t)(arguments->given[i].option - arguments->command->options);
        if (option != OPTION_FRAMES && option != OPTION_QUIET && option != OPTION_JSON)
            return pli_cli_complain(failed, "diff: --%s is for scenes, and '%s' is a recording",
                                    arguments->given[i].option->name, a);
    }
    pli_status status = pli_cli_cache_diff(a, b, pli_cli_whole(arguments, OPTION_FRAMES, -1), &difference, &error);
    return status == PLI_STATUS_OK ? tell(arguments, &difference, a, b) : pli_cli_complain(failed, "%s", error.message);
}

static pli_cli_exit run_diff(const pli_cli_arguments *arguments)
{
    const bool a = is_scene(arguments->operands[0]), b = is_scene(arguments->operands[1]);
    if (a != b)
        return pli_cli_complain(failed, "diff: '%s' is a scene and '%s' a recording; compare two of a kind",
                                arguments->operands[a ? 0 : 1], arguments->operands[a ? 1 : 0]);
    return a ? diff_scenes(arguments) : diff_caches(arguments);
}

/* ---- the command ---------------------------------------------------------------------------- */

static const pli_cli_operand operands[] = {
    {.name = "A", .summary = "A scene (.json), a cache, or the folder of a run", .kind = PLI_CLI_FILE},
    {.name = "B", .summary = "Another of the same kind, or the same scene", .kind = PLI_CLI_FILE},
};

#define THREADS(side)                                                                                                  \
    {                                                                                                                  \
        .name = "threads-" side, .kind = PLI_CLI_WHOLE, .value = "N", .minimum = 1, .maximum = 64,                     \
        .summary = "Number of threads of this side (default: as its scene says)"                                       \
    }
#define SIMD(side)                                                                                                     \
    {                                                                                                                  \
        .name = "simd-" side, .kind = PLI_CLI_CHOICE, .value = "NAME", .choice = simd_name,                            \
        .summary = "SIMD instructions of this side"                                                                    \
    }
#define SET(side)                                                                                                      \
    {                                                                                                                  \
        .name = "set-" side, .kind = PLI_CLI_TEXT, .value = "PATH=VALUE",                                              \
        .summary = "Set a value of this side's scene; may be repeated"                                                 \
    }

static const pli_cli_option options[] = {
    [OPTION_SET] = PLI_CLI_OPTION_SET("Set a value of both scenes, such as settings.substeps=20; may be repeated"),
    [OPTION_SET_A] = SET("a"),
    [OPTION_SET_B] = SET("b"),
    [OPTION_THREADS_A] = THREADS("a"),
    [OPTION_THREADS_B] = THREADS("b"),
    [OPTION_SIMD_A] = SIMD("a"),
    [OPTION_SIMD_B] = SIMD("b"),
    [OPTION_FRAMES] = {.name = "frames",
                       .letter = 'n',
                       .kind = PLI_CLI_WHOLE,
                       .value = "N",
                       .maximum = 10000000,
                       .summary = "Compare this many steps of scenes or frames of recordings (default: all)"},
    [OPTION_ALLOW_OUTSIDE] = PLI_CLI_OPTION_ALLOW_OUTSIDE,
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("Print nothing; the exit status says it"),
    [OPTION_JSON] = PLI_CLI_OPTION_JSON("Print one JSON object"),
};

static const pli_cli_example examples[] = {
    {"pliant diff scenes/first.json scenes/first.json --threads-b 2",
     "Is the result the same with two threads? It should be: exit status 0"},
    {"pliant diff scenes/first.json scenes/first.json --set-b settings.gravity=[0,-9.8,0]",
     "Which part of the step first feels a change"},
    {"pliant diff out/before out/after", "The first frame, object and vertex that two recordings do not share"},
};

const pli_cli_command pli_cli_row_diff = {
    .name = "diff",
    .summary = "Find where two runs first differ: step, stage, type and particle",
    .description =
        "Steps two scenes side by side and compares their states bit by bit. At the first step that differs, both go "
        "back to its start and repeat it part by part: forces, prediction, every constraint set in its turn, contacts "
        "and so on. The first part that differs is named, with the first particle that it moved elsewhere and the one "
        "that is farthest apart. Recordings are compared frame by frame. Exit status: 0 equal, 1 they differ, 2 they "
        "could not be compared.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_diff,
    .out_of_memory = PLI_CLI_WRONG_USE,
};
