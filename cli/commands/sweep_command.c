// pliant sweep: runs a scene with many values of its keys.
#define _XOPEN_SOURCE 700
#include "frame/folders.h"
#include "frame/options.h"
#include "frame/processors.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "sweep/inputs.h"
#include "sweep/points.h"
#include "sweep/workers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPTION_OUTPUT, OPTION_JOBS, OPTION_POINT, OPTION_RETRY, OPTION_COMMANDS, OPTION_PLUGIN, OPTION_QUIET };
enum { JOBS_MAX = 1024, ERRORS_SHOWN = 5 };

static const char *const actions[] = {"status", "table"};

static void print_commands(const pli_cli_study *study, const char *folder)
{
    pli_text out = {0};
    for (int32_t point = 0; point < study->point_count; point++)
        pli_cli_point_line(study, folder, point, &out);
    fputs(out.characters ? out.characters : "", stdout);
    pli_text_free(&out);
}

static pli_cli_exit print_status(const pli_cli_study *study, const char *folder)
{
    int32_t counts[PLI_CLI_POINT_STATUS_COUNT] = {0}, shown = 0;
    for (int32_t point = 0; point < study->point_count; point++) {
        pli_cli_point_state state = pli_cli_point_look(study, folder, point);
        counts[state.status]++;
        if (state.status == PLI_CLI_POINT_FAILED && shown++ < ERRORS_SHOWN)
            printf("point %d: %s\n", (int)point, state.message ? state.message : "failed");
        pli_cli_point_state_release(&state);
    }
    if (shown > ERRORS_SHOWN)
        printf("and %d more that failed; the table has them\n", (int)shown - ERRORS_SHOWN);
    printf("%d points:", (int)study->point_count);
    for (int32_t i = 0; i < PLI_CLI_POINT_STATUS_COUNT; i++)
        printf("%s %d %s", i ? "," : "", (int)counts[i], pli_cli_point_status_name((pli_cli_point_status)i));
    putchar('\n');
    return PLI_CLI_DONE;
}

static pli_cli_exit write_table(const pli_cli_study *study, const char *folder)
{
    pli_text out = {0};
    pli_error error;
    char *path = pli_cli_format("%s/table.csv", folder);
    const char *unknown = pli_cli_points_table(study, folder, &out);
    pli_status status = pli_cli_folder_make(folder, &error);
    if (status == PLI_STATUS_OK)
        status = pli_cli_file_write(path, (const void *const[]){out.characters}, (const size_t[]){out.length}, 1,
                                    &error);
    if (status == PLI_STATUS_OK)
        puts(path);
    pli_text_free(&out);
    free(path);
    if (status != PLI_STATUS_OK)
        return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    return !unknown
               ? PLI_CLI_DONE
               : pli_cli_complain(PLI_CLI_FAILURE,
                                  "columns: no point has '%s' in its summary.json; a column is a key there, with dots "
                                  "between levels and items of lists by number or name: "
                                  "objects.cloth.stretch.p99, probes.tip.y",
                                  unknown);
}

// Whether all points of a call are done. A point that is neither done nor failed is reported here, since nothing else reports it.
static pli_cli_exit judge(const pli_cli_sweep *sweep)
{
    int32_t counts[PLI_CLI_POINT_STATUS_COUNT] = {0};
    for (int32_t point = sweep->first; point < sweep->end; point++) {
        pli_cli_point_state state = pli_cli_point_look(sweep->study, sweep->folder, point);
        counts[state.status]++;
        pli_cli_point_state_release(&state);
    }
    const int32_t left = counts[PLI_CLI_POINT_WAITING] + counts[PLI_CLI_POINT_STOPPED];
    if (left > 0)
        return pli_cli_complain(PLI_CLI_FAILURE, "%d points ended and are neither done nor failed", (int)left);
    return counts[PLI_CLI_POINT_FAILED] > 0 ? PLI_CLI_FAILURE : PLI_CLI_DONE;
}

static pli_cli_exit run_points(const pli_cli_arguments *arguments, const pli_cli_study *study, const char *folder)
{
    pli_error error;
    const int32_t point = pli_cli_whole(arguments, OPTION_POINT, -1);
    pli_cli_sweep sweep = {.study = study,
                           .folder = folder,
                           .first = point < 0 ? 0 : point,
                           .end = point < 0 ? study->point_count : point + 1,
                           .jobs = pli_cli_whole(arguments, OPTION_JOBS, pli_cli_processors(JOBS_MAX)),
                           .retry = pli_cli_flag(arguments, OPTION_RETRY),
                           .quiet = pli_cli_flag(arguments, OPTION_QUIET)};
    if (point >= study->point_count)
        return pli_cli_complain(PLI_CLI_WRONG_USE, "sweep: the study has %d points, from 0", (int)study->point_count);
    if (pli_cli_sweep_run(&sweep, &error) != PLI_STATUS_OK)
        return pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    if (!sweep.quiet)
        print_status(study, folder);
    // In a job array, the table is written separately, by the command that sees all points.
    pli_cli_exit code = point < 0 && !sweep.quiet ? write_table(study, folder) : PLI_CLI_DONE;
    return code == PLI_CLI_DONE ? judge(&sweep) : code;
}

static pli_cli_exit act(const pli_cli_arguments *arguments, const char *action, const pli_cli_study *study,
                        const char *folder)
{
    if (action)
        return strcmp(action, "status") == 0 ? print_status(study, folder) : write_table(study, folder);
    if (pli_cli_flag(arguments, OPTION_COMMANDS))
        print_commands(study, folder);
    else
        return run_points(arguments, study, folder);
    return PLI_CLI_DONE;
}

static pli_cli_exit run_sweep(const pli_cli_arguments *arguments)
{
    const bool acts = arguments->operand_count == 2;
    const char *action = acts ? arguments->operands[0] : NULL, *path = arguments->operands[acts ? 1 : 0];
    if (arguments->operand_count > 2 || (action && strcmp(action, actions[0]) != 0 && strcmp(action, actions[1]) != 0))
        return pli_cli_complain(PLI_CLI_WRONG_USE, "sweep: give a study, or `status` or `table` and a study");
    // If JSON lacks memory, a point would have no summary, or other settings.
    json_set_alloc_funcs(pli_text_memory, free);
    pli_cli_plugins plugins;
    // A plugin that cannot be loaded is reported once, and not for each point.
    pli_cli_exit code = pli_cli_plugins_open(arguments, OPTION_PLUGIN, &plugins);
    if (code != PLI_CLI_DONE)
        return code;
    pli_cli_study study;
    pli_error error;
    if (pli_cli_study_read(path, &study, &error) == PLI_STATUS_OK) {
        study.plugins = plugins;
        study.inputs = pli_cli_inputs_hash(&study);
        const char *given = pli_cli_text(arguments, OPTION_OUTPUT);
        char *stem = pli_cli_stem(path), *folder = given ? pli_cli_format("%s", given) : pli_cli_format("out/%s", stem);
        code = act(arguments, action, &study, folder);
        free(folder);
        free(stem);
    } else {
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    }
    pli_cli_study_release(&study);
    return code;
}

static const pli_cli_operand operands[] = {
    {.name = "STUDY.json", .summary = "A study, or `status` or `table` before it", .kind = PLI_CLI_FILE},
};

static const pli_cli_option options[] = {
    [OPTION_OUTPUT] = {.name = "output",
                       .letter = 'o',
                       .kind = PLI_CLI_FOLDER,
                       .value = "DIR",
                       .summary = "Where the points' folders and the table go (default: out/ and the study's name)"},
    [OPTION_JOBS] = {.name = "jobs",
                     .letter = 'j',
                     .kind = PLI_CLI_WHOLE,
                     .value = "N",
                     .minimum = 1,
                     .maximum = JOBS_MAX,
                     .summary = "Processes at a time (default: one for each core that it may use)"},
    [OPTION_POINT] = {.name = "point",
                      .kind = PLI_CLI_WHOLE,
                      .value = "N",
                      .maximum = PLI_CLI_POINTS_MAX - 1,
                      .summary = "Run this point alone, from 0"},
    [OPTION_RETRY] = {.name = "retry", .kind = PLI_CLI_FLAG, .summary = "Run the points that have failed again"},
    [OPTION_COMMANDS] = {.name = "print-commands",
                         .kind = PLI_CLI_FLAG,
                         .summary = "Print a command for each point, for GNU parallel and the like, and run none"},
    [OPTION_PLUGIN] = PLI_CLI_OPTION_PLUGIN,
    [OPTION_QUIET] = PLI_CLI_OPTION_QUIET("No progress, no status and no table; errors only"),
};

static const pli_cli_example examples[] = {
    {"pliant sweep study.json --jobs 8", "Run the remaining points, then write out/study/table.csv"},
    {"pliant sweep status study.json", "How many are done, and what went wrong"},
    {"pliant sweep study.json --print-commands | parallel", "The same points by another program"},
    {"pliant sweep study.json --plugin ./ropes.so", "With constraint types of your own in every point"},
};

const pli_cli_command pli_cli_row_sweep = {
    .name = "sweep",
    .summary = "Run a scene with many values of its keys",
    .description = "Runs a scene at each point of a study: a list or range of values for any key of the scene, all "
                   "combined or side by side. Each point has a folder, named by its values, and is run once: the same "
                   "command continues after an interruption. Points that failed are kept with their message. On a "
                   "cluster, `pliant-lab slurm` prints the script of a job array.",
    .operands = operands,
    .operand_count = PLI_CLI_COUNT(operands),
    .last_repeats = true,
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_sweep,
};
