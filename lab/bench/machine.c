// The facts that belong to figures: processor, caches, compiler, flags, date, load.
#define _GNU_SOURCE
#include "bench/machine.h"

#include <pliant/pliant.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif

static void state(bench_fact *fact, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void state(bench_fact *fact, const char *key, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fact->key = key;
    vsnprintf(fact->value, sizeof fact->value, format, arguments);
    va_end(arguments);
}

static void processor(char *name, size_t size)
{
    snprintf(name, size, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

#ifdef __clang__
static const char compiler[] = __VERSION__;
#else
static const char compiler[] = "gcc " __VERSION__;
#endif

static long kibibytes(int name)
{
    long bytes = sysconf(name);
    return bytes > 0 ? bytes / 1024 : 0;
}

static void widths(bench_fact *fact)
{
    state(fact, "widths", "%s", "");
    for (int32_t i = PLI_SIMD_SCALAR; i < PLI_SIMD_COUNT; i++)
        if (pli_simd_available((pli_simd)i)) {
            size_t used = strlen(fact->value);
            snprintf(fact->value + used, sizeof fact->value - used, "%s%s", used ? " " : "",
                     pli_choice_name("simd", i));
        }
}

void bench_describe(bench_fact *facts)
{
    char name[BENCH_FACT_MAX - 1], date[40];
    double load[1] = {-1.0};
    time_t now = time(NULL);
    struct tm parts;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", gmtime_r(&now, &parts));
    processor(name, sizeof name);
    if (getloadavg(load, 1) < 1)
        load[0] = -1.0;
    int32_t i = 0;
    state(&facts[i++], "solver", "Pliant %s", pli_version());
    state(&facts[i++], "processor", "%s", name);
    state(&facts[i++], "cores", "%ld online", sysconf(_SC_NPROCESSORS_ONLN));
    state(&facts[i++], "caches", "L1d %ld KiB, L2 %ld KiB, L3 %ld KiB", kibibytes(_SC_LEVEL1_DCACHE_SIZE),
          kibibytes(_SC_LEVEL2_CACHE_SIZE), kibibytes(_SC_LEVEL3_CACHE_SIZE));
    state(&facts[i++], "memory", "%ld MiB", sysconf(_SC_PHYS_PAGES) / 1024 * (sysconf(_SC_PAGESIZE) / 1024));
    state(&facts[i++], "compiler", "%s", compiler);
    state(&facts[i++], "flags", "%s", BENCH_FLAGS);
    widths(&facts[i++]);
    state(&facts[i++], "date", "%s", date);
    state(&facts[i], "load", "%.2f at the start", load[0]);
}
