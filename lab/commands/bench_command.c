// pliant-lab bench: times by constraint type, width, size and threads, compared with the machine's own limit.
#include "frame/options.h"
#include "reports/bench_results.h"
#include "frame/signals.h"
#include "frame/terminal.h"
#include "frame/progress.h"

#include "bench/cases.h"
#include <math.h>
#include "bench/measure_kinds.h"
#include "bench/repeat.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPTION_FILTER,
    OPTION_LIST,
    OPTION_QUICK,
    OPTION_FULL,
    OPTION_REPETITIONS,
    OPTION_CSV,
    OPTION_JSON,
    OPTION_COMPARE,
    OPTION_QUIET
};
enum { FILTERS_MAX = 32, REPETITIONS = 7, NAME_WIDTH = 52, REPETITIONS_MAX = 100, GROUPS_MAX = 2000 };
static const double repetition_seconds = 0.03, quick_seconds = 0.01;

/* ---- selection ------------------------------------------------------------------------------ */

// Whether every word of the filter occurs in the name.
static bool fits(const char *name, const char *filter)
{
    char word[BENCH_NAME_MAX];
    for (filter += strspn(filter, " "); *filter; filter += strspn(filter, " ")) {
        size_t length = strcspn(filter, " ");
        snprintf(word, sizeof word, "%.*s", (int)length, filter);
        if (length >= sizeof word || !strstr(name, word))
            return false;
        filter += length;
    }
    return true;
}

static bool fits_any(const char *name, const char *const *filters, int32_t count)
{
    bool fit = count == 0;
    for (int32_t i = 0; i < count && !fit; i++)
        fit = fits(name, filters[i]);
    return fit;
}

// "machine/triad, micro/distance, ...": the first two parts of the names.
static void list_groups(const bench_case *cases, int32_t count, char *text, size_t size)
{
    char group[BENCH_NAME_MAX] = "";
    size_t used = 0;
    text[0] = '\0';
    for (int32_t i = 0; i < count && used < size; i++) {
        const char *name = cases[i].name, *second = strchr(name, '/') + 1;
        int length = (int)(second - name + (int)strcspn(second, "/"));
        snprintf(group, sizeof group, "%.*s", length, name);
        const char *found = strstr(text, group);
        if (!found || (found[length] != ',' && found[length] != '\0'))
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", group);
    }
}

// Keeps the matching cases and returns their number.
static int32_t select_cases(bench_case *cases, int32_t count, const char *const *filters, int32_t filter_count)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++)
        if (fits_any(cases[i].name, filters, filter_count))
            cases[kept++] = cases[i];
    return kept;
}

// The requested cases; if none of the requested extent match, the matching cases of the full list. Null after an error message.
static bench_case *choose_cases(const pli_cli_arguments *arguments, int32_t *count)
{
    const char *filters[FILTERS_MAX];
    int32_t filter_count = pli_cli_texts(arguments, OPTION_FILTER, filters, FILTERS_MAX);
    filter_count = filter_count < FILTERS_MAX ? filter_count : FILTERS_MAX;
    bench_extent extent = pli_cli_flag(arguments, OPTION_FULL)    ? BENCH_FULL
                          : pli_cli_flag(arguments, OPTION_QUICK) ? BENCH_QUICK
                                                                  : BENCH_USUAL;
    bench_case *cases = bench_cases(extent, count);
    int32_t kept = cases ? select_cases(cases, *count, filters, filter_count) : 0;
    if (cases && kept == 0) {
        free(cases);
        cases = bench_cases(BENCH_FULL, count);
        kept = cases ? select_cases(cases, *count, filters, filter_count) : 0;
    }
    if (cases && kept == 0) {
        char groups[GROUPS_MAX];
        free(cases);
        cases = bench_cases(BENCH_FULL, count);
        list_groups(cases, cases ? *count : 0, groups, sizeof groups);
        pli_cli_complain(PLI_CLI_WRONG_USE,
                         "bench: no case fits the filter '%s'; there are %s; see pliant-lab bench --list", filters[0],
                         groups);
        free(cases);
        return NULL;
    }
    if (!cases)
        pli_cli_complain(PLI_CLI_FAILURE, "out of memory");
    *count = kept;
    return cases;
}

/* ---- output --------------------------------------------------------------------------------- */

typedef struct session {
    const pli_cli_arguments *arguments;
    bench_case *cases;
    int32_t case_count;
    json_t *document, *earlier;
    int32_t columns, said; // Width of the terminal; tenths already printed if there is none.
    double start;
} session;

static void say_progress(session *s, int32_t done)
{
    if (pli_cli_flag(s->arguments, OPTION_QUIET))
        return;
    double seconds = pli_cli_now() - s->start;
    if (s->columns > 0) {
        if (done < s->case_count)
            fprintf(stderr, "\r%d of %d, %.0f s: %s\033[K", (int)done + 1, (int)s->case_count, seconds,
                    s->cases[done].name);
        else
            fputs("\r\033[K", stderr);
        fflush(stderr);
    } else if (done * 10 / s->case_count > s->said) {
        s->said = done * 10 / s->case_count;
        fprintf(stderr, "bench: %d of %d cases, %.0f s\n", (int)done, (int)s->case_count, seconds);
    }
}

static void clear_line(const session *s)
{
    if (s->columns > 0 && !pli_cli_flag(s->arguments, OPTION_QUIET))
        fputs("\r\033[K", stderr);
}

static void print_head(const session *s)
{
    const char *key;
    json_t *value;
    json_object_foreach (json_object_get(s->document, "machine"), key, value)
        printf("# %s: %s\n", key, json_string_value(value));
    printf("%-*s %10s %10s %10s  %-13s %9s %6s %9s %9s  %-16s", NAME_WIDTH, "case", "median", "least", "most", "unit",
           "limit", "ratio", "stretch", "residual", "state");
    puts(s->earlier ? "   earlier  now/earlier  of ratios" : "");
}

static void print_number(const json_t *row, const char *key, int width)
{
    const json_t *value = json_object_get(row, key);
    if (json_is_number(value))
        printf(" %*.4g", width, json_number_value(value));
    else
        printf(" %*s", width, "");
}

static void print_row(const session *s, const json_t *row)
{
    const char *hash = json_string_value(json_object_get(row, "hash"));
    const char *verdict = json_string_value(json_object_get(row, "verdict"));
    printf("%-*s", NAME_WIDTH, json_string_value(json_object_get(row, "case")));
    print_number(row, "median", 10);
    print_number(row, "least", 10);
    print_number(row, "most", 10);
    printf("  %-13s", json_string_value(json_object_get(row, "unit")));
    print_number(row, "limit", 9);
    print_number(row, "ratio", 6);
    print_number(row, "stretch_max", 9);
    print_number(row, "residual_rms", 9);
    printf("  %-16s", hash ? hash : "");
    if (s->earlier && verdict) {
        print_number(row, "earlier", 9);
        print_number(row, "change", 12);
        print_number(row, "change_of_ratio", 10);
        printf("  %s%s", strcmp(verdict, "within the spread") == 0 ? "" : verdict,
               json_is_false(json_object_get(row, "same_state")) ? ", another state" : "");
    }
    putchar('\n');
    fflush(stdout);
}

/* ---- running -------------------------------------------------------------------------------- */

static pli_cli_exit keep(session *s, const bench_case *item, const bench_figure *figure)
{
    pli_error error;
    const char *csv = pli_cli_text(s->arguments, OPTION_CSV);
    json_t *row = pli_lab_bench_add(s->document, item, figure);
    const json_t *former = s->earlier ? pli_lab_bench_find(s->earlier, item->name) : NULL;
    if (former)
        pli_lab_bench_compare(row, former);
    clear_line(s);
    if (!pli_cli_flag(s->arguments, OPTION_JSON))
        print_row(s, row);
    if (csv && pli_lab_bench_write_csv(s->document, csv, &error) != PLI_STATUS_OK)
        return pli_cli_complain(PLI_CLI_FAILURE, "bench: %s", error.message);
    return PLI_CLI_DONE;
}

static pli_cli_exit run_cases(session *s)
{
    bool quick = pli_cli_flag(s->arguments, OPTION_QUICK);
    bench_run *run = bench_run_create(pli_cli_whole(s->arguments, OPTION_REPETITIONS, quick ? 5 : REPETITIONS),
                                      quick ? quick_seconds : repetition_seconds, pli_cli_cancelled);
    pli_cli_exit code = run ? PLI_CLI_DONE : pli_cli_complain(PLI_CLI_FAILURE, "out of memory");
    for (int32_t i = 0; i < s->case_count && code == PLI_CLI_DONE; i++) {
        bench_figure figure;
        pli_error error;
        say_progress(s, i);
        if (bench_measure(run, &s->cases[i], &figure, &error)) {
            code = keep(s, &s->cases[i], &figure);
            continue;
        }
        clear_line(s);
        code = pli_cli_complain(PLI_CLI_FAILURE, "bench: %s: %s", s->cases[i].name, error.message);
    }
    if (code == PLI_CLI_DONE)
        say_progress(s, s->case_count);
    bench_run_destroy(run);
    return code;
}

static pli_cli_exit measure(session *s)
{
    bool as_json = pli_cli_flag(s->arguments, OPTION_JSON);
    pli_error error;
    const char *csv = pli_cli_text(s->arguments, OPTION_CSV);
    s->document = pli_lab_bench_document();
    if (csv && pli_lab_bench_write_csv(s->document, csv, &error) != PLI_STATUS_OK) {
        json_decref(s->document);
        return pli_cli_complain(PLI_CLI_FAILURE, "bench: %s", error.message);
    }
    if (!as_json)
        print_head(s);
    pli_cli_cancel_listen();
    pli_cli_exit code = run_cases(s);
    json_object_set_new(s->document, "complete", json_boolean(code == PLI_CLI_DONE));
    if (as_json && pli_cli_print_json(json_incref(s->document)) != PLI_CLI_DONE)
        code = PLI_CLI_FAILURE;
    json_decref(s->document);
    return code;
}

static pli_cli_exit list_cases(const session *s)
{
    json_t *names = json_array();
    for (int32_t i = 0; i < s->case_count; i++)
        json_array_append_new(names, json_string(s->cases[i].name));
    if (pli_cli_flag(s->arguments, OPTION_JSON))
        return pli_cli_print_json(names);
    for (int32_t i = 0; i < s->case_count; i++)
        puts(s->cases[i].name);
    json_decref(names);
    return PLI_CLI_DONE;
}

static pli_cli_exit run_bench(const pli_cli_arguments *arguments)
{
    session s = {.arguments = arguments, .columns = pli_cli_terminal_width(), .start = pli_cli_now()};
    const char *compare = pli_cli_text(arguments, OPTION_COMPARE);
    pli_error error;
    s.cases = choose_cases(arguments, &s.case_count);
    if (!s.cases)
        return PLI_CLI_WRONG_USE;
    pli_cli_exit code = PLI_CLI_DONE;
    if (compare && !(s.earlier = pli_lab_bench_read(compare, &error)))
        code = pli_cli_complain(PLI_CLI_FAILURE, "bench: %s", error.message);
    else
        code = pli_cli_flag(arguments, OPTION_LIST) ? list_cases(&s) : measure(&s);
    json_decref(s.earlier);
    free(s.cases);
    return code;
}

static const pli_cli_option options[] = {
    [OPTION_FILTER] = {.name = "filter",
                       .letter = 'f',
                       .kind = PLI_CLI_TEXT,
                       .value = "WORDS",
                       .summary = "Only cases whose names contain all of these words; if repeated, any of them may "
                                  "match. If no usual case matches, the cases of --full are searched"},
    [OPTION_LIST] = {.name = "list",
                     .letter = 'l',
                     .kind = PLI_CLI_FLAG,
                     .summary = "Name the cases and measure nothing"},
    [OPTION_QUICK] = {.name = "quick", .kind = PLI_CLI_FLAG, .summary = "A few small cases: under 40 seconds"},
    [OPTION_FULL] = {.name = "full",
                     .kind = PLI_CLI_FLAG,
                     .summary = "Every size with every width and number of threads: half an hour"},
    [OPTION_REPETITIONS] = {.name = "repetitions",
                            .kind = PLI_CLI_WHOLE,
                            .value = "N",
                            .minimum = 1,
                            .maximum = REPETITIONS_MAX,
                            .summary = "Of each measurement, whose median counts (default 7; fewer, but 3 at least, "
                                       "where one takes long)"},
    [OPTION_CSV] = {.name = "csv",
                    .kind = PLI_CLI_FILE,
                    .value = "FILE",
                    .summary = "Write the results there, the machine described in the head"},
    [OPTION_JSON] = {.name = "json", .kind = PLI_CLI_FLAG, .summary = "Print one JSON object instead of the table"},
    [OPTION_COMPARE] = {.name = "compare",
                        .kind = PLI_CLI_FILE,
                        .value = "FILE",
                        .summary = "Compare with earlier results (CSV or JSON), and report cases that are faster or "
                                   "slower beyond the spread of both"},
    [OPTION_QUIET] = {.name = "quiet", .letter = 'q', .kind = PLI_CLI_FLAG, .summary = "No progress"},
};

static const pli_cli_example examples[] = {
    {"pliant-lab bench", "Everything that matters, in under five minutes"},
    {"pliant-lab bench --filter \"dihedral 100\"", "Cases whose names contain both words"},
    {"pliant-lab bench --csv before.csv", "Results with the machine described"},
    {"pliant-lab bench --compare before.csv", "What is faster now, and what slower"},
    {"pliant-lab bench --list --full", "Names of all cases"},
};

const pli_cli_command pli_lab_row_bench = {
    .name = "bench",
    .summary = "Measure times, and compare them with the limit of this machine",
    .description =
        "Measures times: typical/... are ms a frame of typical scenes at default settings; "
        "micro/TYPE/SIZE/LAYOUT/WIDTH are ns a projection, scene/... ms a frame, strain/... ms a frame and the strain "
        "that remains, cook/... ms to make a world, machine/... bandwidths. SIZE is the number of vertices along a "
        "side, 16x1 means 16 substeps of one iteration. "
        "Each figure is the median of repeated runs, with the least and the most. Next to it are the limit, which is "
        "the time of the same projections by plain loops over a grid, measured in the same run, and the ratio of the "
        "time to it; the largest remaining stretch, the residual of the last set, and the hash of the state. Two runs "
        "on a busy machine are best compared by their ratios to the limit. Ctrl-C stops; what was measured is kept.",
    .options = options,
    .option_count = PLI_CLI_COUNT(options),
    .examples = examples,
    .example_count = PLI_CLI_COUNT(examples),
    .run = run_bench,
};
