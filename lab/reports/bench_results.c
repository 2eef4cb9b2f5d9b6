// Columns, CSV in and out, comparison.
#define _GNU_SOURCE
#include "reports/bench_results.h"

#include "frame/terminal.h"
#include "frame/folders.h"

#include "bench/cases.h"
#include "bench/machine.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const columns[] = {
    "case",         "unit",         "median",      "least",
    "most",         "limit",        "ratio",       "bandwidth_limit",
    "vertices",     "projections",  "stretch_rms", "stretch_max",
    "residual_rms", "residual_max", "contacts",    "bytes_per_vertex",
    "hash",         "repetitions",  "threads",     "cpu_median",
    "cpu_least",
};
enum {
    COLUMN_COUNT = sizeof columns / sizeof *columns,
    SUMMARY_COLUMN = COLUMN_COUNT + PLI_STAGE_COUNT,
    ALL_COLUMNS,
    FIELDS_MAX = 2 * ALL_COLUMNS,
    STAGE_NAME_MAX = 40
};

// After those columns follow the stages of a step, such as "project_ms", and the summary. Returns `text`.
static const char *stage_column(int32_t stage, char text[STAGE_NAME_MAX])
{
    snprintf(text, STAGE_NAME_MAX, "%s_ms", pli_choice_name("stage", stage));
    return text;
}

json_t *pli_lab_bench_document(void)
{
    bench_fact facts[BENCH_FACTS];
    bench_describe(facts);
    json_t *machine = json_object();
    for (int32_t i = 0; i < BENCH_FACTS; i++)
        json_object_set_new(machine, facts[i].key, pli_cli_json_text(facts[i].value));
    return json_pack("{s:o, s:[]}", "machine", machine, "cases");
}

static void set_number(json_t *row, const char *key, double value)
{
    json_object_set_new(row, key, pli_cli_json_number(value));
}

static json_t *number_array(const double *values, int32_t count)
{
    json_t *array = json_array();
    for (int32_t i = 0; i < count; i++)
        json_array_append_new(array, pli_cli_json_number(values[i]));
    return array;
}

static void set_scenario(json_t *row, const bench_figure *figure)
{
    char column[STAGE_NAME_MAX];
    set_number(row, "threads", figure->threads);
    set_number(row, "cpu_median", figure->cpu.median);
    set_number(row, "cpu_least", figure->cpu.least);
    for (int32_t i = 0; i < PLI_STAGE_COUNT; i++)
        set_number(row, stage_column(i, column), figure->stage_ms[i]);
    if (figure->frame_count > 0) {
        json_object_set_new(row, "frame_ms", number_array(figure->frame_ms, figure->frame_count));
        json_object_set_new(row, "frame_cpu_ms", number_array(figure->frame_cpu_ms, figure->frame_count));
    }
}

json_t *pli_lab_bench_add(json_t *document, const bench_case *item, const bench_figure *figure)
{
    char hash[20] = "";
    json_t *row = json_object();
    json_object_set_new(row, "case", pli_cli_json_text(item->name));
    json_object_set_new(row, "unit", pli_cli_json_text(bench_unit_name(item->unit)));
    set_number(row, "median", figure->sample.median);
    set_number(row, "least", figure->sample.least);
    set_number(row, "most", figure->sample.most);
    set_number(row, "limit", figure->limit);
    set_number(row, "ratio", figure->sample.median / figure->limit);
    set_number(row, "bandwidth_limit", figure->bandwidth);
    set_number(row, "vertices", figure->vertices > 0 ? (double)figure->vertices : NAN);
    set_number(row, "projections", figure->projections > 0 ? (double)figure->projections : NAN);
    set_number(row, "stretch_rms", figure->stretch_rms);
    set_number(row, "stretch_max", figure->stretch_max);
    set_number(row, "residual_rms", figure->residual_rms);
    set_number(row, "residual_max", figure->residual_max);
    set_number(row, "contacts", figure->contacts > 0 ? (double)figure->contacts : NAN);
    set_number(row, "bytes_per_vertex", figure->bytes_per_vertex);
    if (figure->hash != 0)
        snprintf(hash, sizeof hash, "%016llx", (unsigned long long)figure->hash);
    json_object_set_new(row, "hash", figure->hash != 0 ? json_string(hash) : json_null());
    set_number(row, "repetitions", figure->sample.repetitions);
    set_scenario(row, figure);
    json_object_set_new(row, "summary", item->summary ? pli_cli_json_text(item->summary) : json_null());
    json_array_append_new(json_object_get(document, "cases"), row);
    return row;
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static const char *column_name(int32_t i, char text[STAGE_NAME_MAX])
{
    if (i == SUMMARY_COLUMN)
        return "summary";
    return i < COLUMN_COUNT ? columns[i] : stage_column(i - COLUMN_COUNT, text);
}

static void print_csv(const json_t *document, FILE *stream)
{
    char name[STAGE_NAME_MAX];
    const char *key;
    json_t *value, *row;
    size_t place;
    json_object_foreach (json_object_get(document, "machine"), key, value)
        fprintf(stream, "# %s: %s\n", key, json_string_value(value));
    for (int32_t i = 0; i < ALL_COLUMNS; i++)
        fprintf(stream, "%s%c", column_name(i, name), i + 1 < ALL_COLUMNS ? ',' : '\n');
    json_array_foreach (json_object_get(document, "cases"), place, row) {
        for (int32_t i = 0; i < ALL_COLUMNS; i++) {
            value = json_object_get(row, column_name(i, name));
            if (json_is_string(value))
                fputs(json_string_value(value), stream);
            else if (json_is_number(value))
                fprintf(stream, "%.7g", json_number_value(value));
            fputc(i + 1 < ALL_COLUMNS ? ',' : '\n', stream);
        }
    }
}

pli_status pli_lab_bench_write_csv(const json_t *document, const char *path, pli_error *error)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (!stream)
        return pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
    print_csv(document, stream);
    fclose(stream);
    const void *pieces[] = {text};
    pli_status status = pli_cli_file_write(path, pieces, &size, 1, error);
    free(text);
    return status;
}

// Splits a line at its commas, in place. Returns the number of fields.
static int32_t split(char *line, char **fields)
{
    int32_t count = 0;
    for (char *rest = line; rest && count < FIELDS_MAX;)
        fields[count++] = strsep(&rest, ",");
    return count;
}

static json_t *field_value(const char *column, const char *text)
{
    char *end;
    double number = strtod(text, &end);
    if (*text == '\0')
        return json_null();
    if (strcmp(column, "case") != 0 && strcmp(column, "hash") != 0 && *end == '\0')
        return pli_cli_json_number(number);
    return pli_cli_json_text(text);
}

static bool read_fact(json_t *machine, const char *line)
{
    const char *colon = strstr(line, ": ");
    if (!colon || colon - line < 3)
        return false;
    char *key = strndup(line + 2, (size_t)(colon - line - 2));
    if (key)
        json_object_set_new(machine, key, pli_cli_json_text(colon + 2));
    free(key);
    return key != NULL;
}

// Returns null with the error, which names the line.
static json_t *parse_csv(char *text, const char *path, pli_error *error)
{
    char *names[FIELDS_MAX], *fields[FIELDS_MAX];
    int32_t name_count = 0, number = 0;
    json_t *machine = json_object(), *cases = json_array();
    json_t *document = json_pack("{s:o, s:o}", "machine", machine, "cases", cases);
    for (char *rest = text, *line; (line = strsep(&rest, "\n"));) {
        number++;
        line[strcspn(line, "\r")] = '\0';
        if (*line == '\0')
            continue;
        if (line[0] == '#') {
            read_fact(machine, line);
            continue;
        }
        int32_t count = split(line, name_count ? fields : names);
        if (name_count == 0 && strcmp(names[0], columns[0]) == 0) {
            name_count = count;
            continue;
        }
        if (name_count == 0 || count != name_count) {
            pli_fail(error, PLI_STATUS_PARSE, "%s:%d: %s", path, (int)number,
                     name_count ? "not as many fields as columns" : "the first line must name columns, `case` first");
            json_decref(document);
            return NULL;
        }
        json_t *row = json_object();
        for (int32_t i = 0; i < count; i++)
            json_object_set_new(row, names[i], field_value(names[i], fields[i]));
        json_array_append_new(cases, row);
    }
    return document;
}

json_t *pli_lab_bench_read(const char *path, pli_error *error)
{
    void *content = NULL;
    size_t size = 0, place;
    json_error_t problem;
    if (pli_cli_file_read(path, &content, &size, error) != PLI_STATUS_OK)
        return NULL;
    char *text = strndup(content, size);
    free(content);
    if (!text) {
        pli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory");
        return NULL;
    }
    json_t *document = NULL, *row;
    if (text[strspn(text, " \t\r\n")] != '{')
        document = parse_csv(text, path, error);
    else if (!(document = json_loads(text, 0, &problem)))
        pli_fail(error, PLI_STATUS_PARSE, "%s:%d: %s", path, problem.line, problem.text);
    free(text);
    bool whole = document && json_array_size(json_object_get(document, "cases")) > 0;
    json_array_foreach (json_object_get(document, "cases"), place, row)
        whole = whole && json_is_string(json_object_get(row, "case")) && json_is_number(json_object_get(row, "median"));
    if (whole || !document)
        return document;
    json_decref(document);
    pli_fail(error, PLI_STATUS_PARSE, "%s: no results in it: it takes what --csv or --json left", path);
    return NULL;
}

json_t *pli_lab_bench_find(const json_t *document, const char *name)
{
    json_t *row;
    size_t place;
    json_array_foreach (json_object_get(document, "cases"), place, row)
        if (strcmp(json_string_value(json_object_get(row, "case")), name) == 0)
            return row;
    return NULL;
}

/* ---- comparison ----------------------------------------------------------------------------- */

// NaN if there is none.
static double number_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

void pli_lab_bench_compare(json_t *now, const json_t *earlier)
{
    double change = number_of(now, "median") / number_of(earlier, "median");
    bool less = number_of(now, "most") < number_of(earlier, "least");
    bool more = number_of(now, "least") > number_of(earlier, "most");
    const char *unit = json_string_value(json_object_get(now, "unit"));
    bool speed = unit && strcmp(unit, bench_unit_name(BENCH_GIGABYTES)) == 0;
    const char *hash = json_string_value(json_object_get(now, "hash"));
    const char *former = json_string_value(json_object_get(earlier, "hash"));
    json_object_set(now, "earlier", json_object_get(earlier, "median"));
    set_number(now, "change", change);
    set_number(now, "change_of_ratio", number_of(now, "ratio") / number_of(earlier, "ratio"));
    json_object_set_new(now, "verdict",
                        json_string(!less && !more  ? "within the spread"
                                    : less != speed ? "faster"
                                                    : "slower"));
    json_object_set_new(now, "same_state", hash && former ? json_boolean(strcmp(hash, former) == 0) : json_null());
}
