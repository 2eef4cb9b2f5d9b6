// Progress with rate and remaining time.
#define _POSIX_C_SOURCE 200809L
#include "frame/progress.h"

#include "frame/terminal.h"

#include <stdio.h>
#include <time.h>

enum { BAR_WIDTH_MAX = 40, TEXT_WIDTH = 62, TENTHS = 10 };
static const double redraw_seconds = 0.1;

double pli_cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void pli_cli_progress_start(pli_cli_progress *progress, const char *what, int32_t first, int32_t last, bool quiet)
{
    *progress = (pli_cli_progress){.what = what,
                                   .unit = "frame",
                                   .first = first,
                                   .last = last,
                                   .quiet = quiet,
                                   .columns = pli_cli_terminal_width(),
                                   .start = pli_cli_now()};
    if (!quiet && progress->columns > 0 && last > first)
        pli_cli_progress_show(progress, first);
}

static void print_left(double seconds)
{
    long whole = seconds < 360000.0 ? (long)(seconds + 0.5) : 359999;
    if (whole >= 3600)
        fprintf(stderr, "%ld:%02ld:%02ld left", whole / 3600, whole / 60 % 60, whole % 60);
    else
        fprintf(stderr, "%ld:%02ld left", whole / 60, whole % 60);
}

static void print_bar(int32_t width, double part)
{
    int32_t filled = (int32_t)(part * (double)width);
    fputs(" [", stderr);
    for (int32_t i = 0; i < width; i++)
        fputc(i < filled ? '#' : '-', stderr);
    fputc(']', stderr);
}

static void print_line(const pli_cli_progress *progress, int32_t done)
{
    double part = progress->last > 0 ? (double)done / (double)progress->last : 1.0;
    double seconds = pli_cli_now() - progress->start;
    double rate = seconds > 0.0 ? (double)(done - progress->first) / seconds : 0.0;
    int32_t room = progress->columns - TEXT_WIDTH;
    fprintf(stderr, "%s: %s %d of %d", progress->what, progress->unit, (int)done, (int)progress->last);
    if (room > 4)
        print_bar(room < BAR_WIDTH_MAX ? room : BAR_WIDTH_MAX, part);
    fprintf(stderr, " %3d %%", (int)(100.0 * part));
    if (rate > 0.0) {
        fprintf(stderr, ", %.*f %ss/s, ", rate < 100.0 ? 1 : 0, rate, progress->unit);
        print_left((double)(progress->last - done) / rate);
    }
}

void pli_cli_progress_show(pli_cli_progress *progress, int32_t done)
{
    if (progress->quiet)
        return;
    if (progress->columns > 0) {
        double now = pli_cli_now();
        if (done < progress->last && now - progress->drawn < redraw_seconds)
            return;
        progress->drawn = now;
        fputc('\r', stderr);
        print_line(progress, done);
        fputs("\033[K", stderr);
        fflush(stderr);
        return;
    }
    int32_t count = progress->last - progress->first;
    int32_t tenth = count > 0 ? (int32_t)((int64_t)(done - progress->first) * TENTHS / count) : TENTHS;
    if (tenth <= progress->said)
        return;
    progress->said = tenth;
    print_line(progress, done);
    fputc('\n', stderr);
}

void pli_cli_progress_end(pli_cli_progress *progress)
{
    if (!progress->quiet && progress->columns > 0)
        fputs("\r\033[K", stderr);
}
