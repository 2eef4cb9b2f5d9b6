// One process per point: a crash of one leaves the others running.
#define _XOPEN_SOURCE 700
#include "sweep/workers.h"

#include "frame/folders.h"
#include "frame/progress.h"
#include "frame/signals.h"
#include "frame/strings.h"
#include "sweep/points.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// A slot for a process; its folder is NULL while the slot is free.
typedef struct worker {
    pid_t process;
    char *folder;
} worker;

static char *this_program(void)
{
    char here[4000];
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    return pli_cli_format("%.*s", (int)(length > 0 ? length : 0), here);
}

static bool is_left(const pli_cli_sweep *sweep, int32_t point)
{
    pli_cli_point_state state = pli_cli_point_look(sweep->study, sweep->folder, point);
    const pli_cli_point_status status = state.status;
    pli_cli_point_state_release(&state);
    return status == PLI_CLI_POINT_WAITING || status == PLI_CLI_POINT_STOPPED ||
           (status == PLI_CLI_POINT_FAILED && sweep->retry);
}

// Called in the new process: redirects its error output to errors.txt.
static void become(char **words, const char *folder)
{
    char *path = pli_cli_format("%s/errors.txt", folder);
    const int errors = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666), nothing = open("/dev/null", O_RDWR);
    if (errors < 0 || nothing < 0 || dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(errors, 2) < 0)
        _exit(127);
    execv(words[0], words);
    _exit(127);
}

static pli_status start(const pli_cli_sweep *sweep, int32_t point, worker *w, pli_error *error)
{
    char *folder = pli_cli_point_folder(sweep->study, sweep->folder, point), *program = this_program();
    char *old = pli_cli_format("%s/failed.json", folder);
    char **words = pli_cli_point_command(sweep->study, program, sweep->folder, point);
    pli_status status = pli_cli_folder_make(folder, error);
    unlink(old);
    if (status == PLI_STATUS_OK) {
        w->process = fork();
        if (w->process == 0)
            become(words, folder);
        if (w->process < 0)
            status = pli_cli_fail(error, PLI_STATUS_FILE, "no process can be started: %s", strerror(errno));
    }
    for (int32_t i = 0; words[i]; i++)
        free(words[i]);
    free(words);
    free(program);
    free(old);
    if (status == PLI_STATUS_OK)
        w->folder = folder;
    else
        free(folder);
    return status;
}

// Reaps the processes that have ended and counts them. Processes that were told to stop have not failed, however they end: one that
// gets the signal before its handler is installed is killed by it.
static pli_status collect(worker *workers, int32_t count, bool stopping, int32_t *ended, pli_error *error)
{
    pli_status noted = PLI_STATUS_OK;
    for (int32_t i = 0; i < count; i++) {
        int status = 0;
        if (!workers[i].folder || waitpid(workers[i].process, &status, WNOHANG) <= 0)
            continue;
        // A signal to the process group reaches the points and this process at the same time.
        if (!stopping && !pli_cli_cancelled() && noted == PLI_STATUS_OK)
            noted = pli_cli_point_note_end(workers[i].folder,
                                           WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), error);
        free(workers[i].folder);
        workers[i].folder = NULL;
        (*ended)++;
    }
    return noted;
}

static int32_t running(const worker *workers, int32_t count)
{
    int32_t sum = 0;
    for (int32_t i = 0; i < count; i++)
        sum += workers[i].folder != NULL;
    return sum;
}

// The sender of a signal may signal the children as well (a terminal its process group, Slurm an entire job), and a second signal of
// the same kind would end them before they have written their state. They therefore get a signal of the other kind.
static void tell_all(const worker *workers, int32_t count)
{
    const int signal = pli_cli_cancel_signal() == SIGTERM ? SIGINT : SIGTERM;
    for (int32_t i = 0; i < count; i++)
        if (workers[i].folder)
            kill(workers[i].process, signal);
}

static pli_status fill_places(const pli_cli_sweep *sweep, worker *workers, int32_t *next, int32_t *done,
                              pli_error *error)
{
    for (int32_t i = 0; i < sweep->jobs && *next < sweep->end; i++) {
        while (!workers[i].folder && *next < sweep->end) {
            const int32_t point = (*next)++;
            if (!is_left(sweep, point)) {
                (*done)++;
                continue;
            }
            pli_status status = start(sweep, point, &workers[i], error);
            if (status != PLI_STATUS_OK)
                return status;
        }
    }
    return PLI_STATUS_OK;
}

static pli_status run_points(const pli_cli_sweep *sweep, worker *workers, pli_error *error)
{
    int32_t next = sweep->first, done = 0;
    bool told = false;
    pli_status status = PLI_STATUS_OK;
    pli_cli_progress progress;
    pli_cli_progress_start(&progress, "sweeping", 0, sweep->end - sweep->first, sweep->quiet);
    progress.unit = "point";
    while (running(workers, sweep->jobs) > 0 || (next < sweep->end && !told)) {
        if ((pli_cli_cancelled() || status != PLI_STATUS_OK) && !told) {
            tell_all(workers, sweep->jobs);
            told = true;
        }
        if (!told)
            status = fill_places(sweep, workers, &next, &done, error);
        pli_error unnoted;
        pli_status noted = collect(workers, sweep->jobs, told, &done, &unnoted);
        if (noted != PLI_STATUS_OK && status == PLI_STATUS_OK) {
            status = noted;
            *error = unnoted;
        }
        pli_cli_progress_show(&progress, done);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    pli_cli_progress_end(&progress);
    if (status == PLI_STATUS_OK && pli_cli_cancelled())
        return pli_cli_fail(error, PLI_STATUS_CANCELLED,
                            "stopped; the same command continues with the remaining points");
    return status;
}

pli_status pli_cli_sweep_run(const pli_cli_sweep *sweep, pli_error *error)
{
    worker *workers = calloc((size_t)sweep->jobs, sizeof *workers);
    if (!workers)
        return pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    pli_cli_cancel_listen();
    signal(SIGCHLD, SIG_DFL); // If SIGCHLD were ignored by inheritance, no process could be waited for.
    pli_status status = run_points(sweep, workers, error);
    free(workers);
    return status;
}
