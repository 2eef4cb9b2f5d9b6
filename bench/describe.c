// A line about the machine and the build, so that a figure can be read later.
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown flags"
#endif

static void processor(char *name, size_t size)
{
    snprintf(name, size, "unknown processor");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n,"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

void bench_describe(char *line, size_t size)
{
    char name[200];
    processor(name, sizeof name);
    snprintf(line, size, "%s; %ld cores online; compiler %s; %s; pliant %s", name, sysconf(_SC_NPROCESSORS_ONLN),
             __VERSION__, BENCH_FLAGS, pli_version());
}
