// pliant_bench: ms per frame and ns per projection of whole frames, by model, width and threads.
// Figures of one run are comparable with each other, and with nothing else.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOTH(label, model, width, count)                                                                    \
    {label, 200, 200, PLI_GRID_DIAGONAL, model, PLI_METHOD_XPBD, PLI_ORDER_COLOURED, 10, 1, width, count}
#define FABRIC(label, model)                                                                                 \
    {label, 10, 10, PLI_GRID_QUADS, model, PLI_METHOD_PBD, PLI_ORDER_SEQUENTIAL, 1, 16, PLI_SIMD_SCALAR, 1}

static const bench_case cases[] = {
    CLOTH("cloth-200-triangle", "triangle", PLI_SIMD_SCALAR, 1),
    CLOTH("cloth-200-triangle", "triangle", PLI_SIMD_SSE2, 1),
    CLOTH("cloth-200-triangle", "triangle", PLI_SIMD_AVX2, 1),
    CLOTH("cloth-200-triangle", "triangle", PLI_SIMD_SCALAR, 2),
    CLOTH("cloth-200-triangle", "triangle", PLI_SIMD_AVX2, 2),
    CLOTH("cloth-200-edges", NULL, PLI_SIMD_SCALAR, 1),
    CLOTH("cloth-200-edges", NULL, PLI_SIMD_AVX2, 1),
    CLOTH("cloth-200-dihedral", "dihedral", PLI_SIMD_SCALAR, 1),
    CLOTH("cloth-200-dihedral", "dihedral", PLI_SIMD_AVX2, 1),
    CLOTH("cloth-200-isometric", "isometric", PLI_SIMD_SCALAR, 1),
    CLOTH("cloth-200-isometric", "isometric", PLI_SIMD_AVX2, 1),
    FABRIC("fabric-100-triangle", "triangle"),
    FABRIC("fabric-100-dihedral", "dihedral_printed"),
    FABRIC("fabric-100-stick", "stick"),
};
enum { CASE_COUNT = sizeof cases / sizeof *cases };

typedef struct options {
    const char *filter, *csv;
    int32_t repetitions;
} options;

static int help(void)
{
    puts("pliant_bench [--filter TEXT] [--repetitions N] [--csv FILE]\n"
         "Times whole frames of a cloth held at two corners and prints the median of N runs (default 9)\n"
         "with the least and the most, ns per constraint projection, and the stretch that was reached.\n"
         "  pliant_bench --filter dihedral\n"
         "  pliant_bench --csv bench/results/latest.csv");
    return 0;
}

// 0 to go on, 1 done, 2 wrong use.
static int parse(int count, char **arguments, options *o)
{
    for (int i = 1; i < count; i++) {
        bool value = i + 1 < count;
        if (strcmp(arguments[i], "--help") == 0)
            return help() + 1;
        if (value && strcmp(arguments[i], "--filter") == 0)
            o->filter = arguments[++i];
        else if (value && strcmp(arguments[i], "--csv") == 0)
            o->csv = arguments[++i];
        else if (value && strcmp(arguments[i], "--repetitions") == 0)
            o->repetitions = (int32_t)strtol(arguments[++i], NULL, 10);
        else {
            fprintf(stderr, "pliant_bench: unknown option '%s'; see --help\n", arguments[i]);
            return 2;
        }
    }
    if (o->repetitions < 1) {
        fprintf(stderr, "pliant_bench: --repetitions takes a whole number from 1 on\n");
        return 2;
    }
    return 0;
}

static void print_row(FILE *csv, const bench_case *item, const bench_result *r)
{
    const char *width = item->order == PLI_ORDER_SEQUENTIAL ? "sequential" : pli_simd_name(item->simd);
    printf("%-22s %-10s %2d thr  %9.4f ms/frame (%.4f..%.4f)  %6.2f ns/projection  stretch %.4f/%.3f  %016llx\n",
           item->name, width, (int)item->threads, r->median, r->least, r->most, r->per_projection, r->stretch_rms,
           r->stretch_max, (unsigned long long)r->hash);
    if (csv)
        fprintf(csv, "%s,%s,%d,%.5f,%.5f,%.5f,%.3f,%lld,%.5f,%.5f,%.1f,%016llx,%d,%d\n", item->name, width,
                (int)item->threads, r->median, r->least, r->most, r->per_projection, (long long)r->projections,
                r->stretch_rms, r->stretch_max, r->bytes_per_particle, (unsigned long long)r->hash,
                (int)r->repetitions, (int)r->frames);
    fflush(stdout);
}

static int run_all(const options *o, FILE *csv)
{
    char machine[600];
    bench_describe(machine, sizeof machine);
    printf("# %s\n", machine);
    if (csv)
        fprintf(csv, "# %s\ncase,width,threads,median_ms,least_ms,most_ms,ns_per_projection,projections,stretch_rms,"
                "stretch_max,bytes_per_particle,hash,repetitions,frames\n", machine);
    for (int i = 0; i < CASE_COUNT; i++) {
        const bench_case *item = &cases[i];
        if ((o->filter && !strstr(item->name, o->filter)) || !pli_simd_available(item->simd))
            continue;
        bool small = item->columns < 50;
        bench_result result;
        if (!bench_run(item, small ? 200 : 20, o->repetitions, small ? 200 : 5, &result))
            return 1;
        print_row(csv, item, &result);
    }
    return 0;
}

int main(int count, char **arguments)
{
    options o = {.repetitions = 9};
    int parsed = parse(count, arguments, &o);
    if (parsed != 0)
        return parsed - (parsed == 1);
    FILE *csv = o.csv ? fopen(o.csv, "w") : NULL;
    if (o.csv && !csv) {
        fprintf(stderr, "pliant_bench: cannot write '%s'\n", o.csv);
        return 1;
    }
    int result = run_all(&o, csv);
    if (csv && fclose(csv) != 0)
        result = 1;
    return result;
}
