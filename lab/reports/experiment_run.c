// Runs an experiment with its progress on stderr, and writes its report.
#include "reports/experiment_run.h"

#include "frame/folders.h"
#include "frame/progress.h"
#include "frame/signals.h"
#include "frame/shipped_scenes.h"
#include "frame/strings.h"
#include "frame/terminal.h"

#include "base/report.h"
#include <stdio.h>
#include <stdlib.h>

typedef struct watch {
    const char *name;
    bool quiet;
    int32_t columns, shown;
} watch;

static void show(void *user, double share)
{
    watch *w = user;
    int32_t percent = (int32_t)(100.0 * share);
    if (w->quiet || w->columns == 0 || percent == w->shown)
        return;
    w->shown = percent;
    fprintf(stderr, "\r%s: %3d %%\033[K", w->name, (int)percent);
    fflush(stderr);
}

static void clear(const watch *w)
{
    if (w->columns > 0 && !w->quiet)
        fputs("\r\033[K", stderr);
}

pli_status pli_lab_experiment_run_one(const lab_experiment *experiment, const pli_lab_experiment_how *how,
                                      pli_lab_experiment_run *run, pli_error *error)
{
    watch w = {experiment->name, how->quiet, pli_cli_terminal_width(), -1};
    char *inside = pli_cli_format("%s/%s/%s", how->folder, how->below, experiment->name);
    char *shipped = how->scenes || pli_cli_is_folder("scenes/meshes") ? NULL : pli_cli_shipped_folder();
    lab_host host = {
        .folder = inside,
        .scenes = how->scenes ? how->scenes
                  : shipped   ? shipped
                              : "scenes",
        .quick = how->quick,
        .cancelled = pli_cli_cancelled,
        .progress = show,
        .user = &w,
    };
    *run = (pli_lab_experiment_run){.experiment = experiment, .quick = how->quick};
    pli_status status = pli_cli_folder_make(inside, error);
    double start = pli_cli_now();
    if (status == PLI_STATUS_OK)
        status = lab_run(experiment, &host, &run->lab, error);
    run->seconds = pli_cli_now() - start;
    if (status == PLI_STATUS_OK)
        status = how->write(run, inside, error);
    clear(&w);
    if (status == PLI_STATUS_OK && !how->quiet)
        fprintf(stderr, "%s: %d of %d %s, %.1f s\n", w.name, (int)pli_lab_experiment_holding(run),
                (int)lab_result_of(run->lab).claim_count, how->hold, run->seconds);
    free(inside);
    free(shipped);
    return status;
}

pli_cli_exit pli_lab_experiment_run_all(const pli_cli_arguments *arguments, const pli_lab_experiment_how *how,
                                        const lab_experiment *only)
{
    int32_t count = only ? 1 : how->count, done = 0;
    pli_lab_experiment_run *runs = calloc((size_t)count, sizeof *runs);
    pli_error error;
    pli_status status = runs ? PLI_STATUS_OK : pli_cli_fail(&error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    pli_cli_cancel_listen();
    while (done < count && status == PLI_STATUS_OK) {
        const lab_experiment *experiment = only ? only : how->at(done);
        status = pli_lab_experiment_run_one(experiment, how, &runs[done], &error);
        if (status != PLI_STATUS_OK)
            pli_cli_complain(PLI_CLI_FAILURE, "%s %s: %s", how->kind, experiment->name, error.message);
        else
            done++;
    }
    pli_cli_exit code = status == PLI_STATUS_OK ? PLI_CLI_DONE : PLI_CLI_FAILURE;
    if (code == PLI_CLI_DONE && !only && how->page(runs, count, how->folder, &error) != PLI_STATUS_OK)
        code = pli_cli_complain(PLI_CLI_FAILURE, "%s", error.message);
    pli_cli_exit printed = runs ? how->print(arguments, runs, done, how->folder) : PLI_CLI_FAILURE;
    for (int32_t i = 0; runs && i < count; i++)
        lab_destroy(runs[i].lab);
    free(runs);
    return code == PLI_CLI_DONE ? printed : code;
}
