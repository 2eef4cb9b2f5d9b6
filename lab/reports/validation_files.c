// Verdicts on measurements compared with closed forms, as text, JSON and Markdown.
#define _POSIX_C_SOURCE 200809L
#include "reports/validation_files.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "frame/terminal.h"
#include "reports/report_files.h"

#include "base/report.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Relative error; NAN if the reference is a bound and not a value.
static double error_of(const lab_claim *row)
{
    return row->rule == LAB_NEAR && row->figure != 0.0 ? (row->ours - row->figure) / fabs(row->figure) : NAN;
}

// Whether the row is a known failure.
static bool is_known(const lab_claim *row) { return row->why != NULL; }

static bool surprises(const lab_claim *row) { return lab_claim_holds(row) == is_known(row); }

static const char *verdict_of(const lab_claim *row)
{
    if (lab_claim_holds(row))
        return is_known(row) ? "pass, was known to miss" : "pass";
    return is_known(row) ? "miss, known" : "MISS";
}

static int32_t count_of(const pli_lab_experiment_run *run, bool (*counts)(const lab_claim *row))
{
    lab_result result = lab_result_of(run->lab);
    int32_t count = 0;
    for (int32_t i = 0; i < result.claim_count; i++)
        count += counts(&result.claims[i]);
    return count;
}

int32_t pli_lab_validation_surprises(const pli_lab_experiment_run *run) { return count_of(run, surprises); }

static bool is_known_miss(const lab_claim *row) { return is_known(row) && !lab_claim_holds(row); }

int32_t pli_lab_validation_known(const pli_lab_experiment_run *run) { return count_of(run, is_known_miss); }

/* ---- text ----------------------------------------------------------------------------------- */

static void bar_text(const lab_claim *row, char *text, size_t size)
{
    if (row->rule == LAB_NEAR)
        snprintf(text, size, "%.3g %%", 100.0 * row->limit);
    else
        snprintf(text, size, "%s %.4g", row->rule == LAB_AT_MOST ? "<=" : ">=", row->limit);
}

static void error_text(const lab_claim *row, char *text, size_t size)
{
    const double error = error_of(row);
    if (isfinite(error))
        snprintf(text, size, "%+.2f %%", 100.0 * error);
    else
        snprintf(text, size, "-");
}

static void value_text(double value, const char *unit, char *text, size_t size)
{
    if (isfinite(value))
        snprintf(text, size, "%.4g%s%s", value, *unit ? " " : "", unit);
    else
        snprintf(text, size, "-");
}

enum { TEXT = 48 };

void pli_lab_validation_print(FILE *out, const pli_lab_experiment_run *run)
{
    lab_result result = lab_result_of(run->lab);
    char ours[TEXT], figure[TEXT], error[TEXT], bar[TEXT];
    fprintf(out, "%s: %s%s\n  %-15s %-15s %10s  %-10s  %-11s  %s\n", run->experiment->name, run->experiment->title,
            run->quick ? " (the short version)" : "", "measured", "closed form", "error", "bar", "verdict", "what");
    for (int32_t i = 0; i < result.claim_count; i++) {
        const lab_claim *row = &result.claims[i];
        value_text(row->ours, row->unit, ours, sizeof ours);
        value_text(row->figure, row->unit, figure, sizeof figure);
        error_text(row, error, sizeof error);
        bar_text(row, bar, sizeof bar);
        fprintf(out, "  %-15s %-15s %10s  %-10s  %-11s  %s\n", ours, figure, error, bar, verdict_of(row), row->claim);
    }
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *row_json(const lab_claim *row)
{
    json_t *object = json_pack("{s:s, s:s, s:s, s:s, s:b, s:b}", "row", row->claim, "source", row->paper, "unit",
                               row->unit, "rule", pli_lab_report_rule_name(row->rule), "pass",
                               (int)lab_claim_holds(row), "expected", (int)!is_known(row));
    json_object_set_new(object, "measured", pli_cli_json_number(row->ours));
    json_object_set_new(object, "closed_form", pli_cli_json_number(row->figure));
    json_object_set_new(object, "error", pli_cli_json_number(error_of(row)));
    json_object_set_new(object, "bar", pli_cli_json_number(row->limit));
    json_object_set_new(object, "why", pli_cli_json_text(row->why));
    return object;
}

json_t *pli_lab_validation_verdict(const pli_lab_experiment_run *run)
{
    lab_result result = lab_result_of(run->lab);
    json_t *rows = json_array(), *files = json_array();
    for (int32_t i = 0; i < result.claim_count; i++)
        json_array_append_new(rows, row_json(&result.claims[i]));
    for (int32_t i = 0; i < result.file_count; i++)
        json_array_append_new(files, json_string(result.files[i].name));
    return json_pack("{s:s, s:s, s:s, s:b, s:f, s:i, s:i, s:i, s:o, s:o}", "check", run->experiment->name, "title",
                     run->experiment->title, "source", run->experiment->source, "quick", (int)run->quick, "seconds",
                     run->seconds, "passing", (int)pli_lab_experiment_holding(run), "known_misses",
                     (int)pli_lab_validation_known(run), "surprises", (int)pli_lab_validation_surprises(run), "rows",
                     rows, "files", files);
}

/* ---- Markdown ------------------------------------------------------------------------------- */

// Number of the footnote with the reason of a row; rows may share it; 0 for none.
static int32_t note_of(const lab_result *result, int32_t row)
{
    int32_t note = 0;
    for (int32_t i = 0; i <= row && is_known(&result->claims[row]); i++) {
        bool new = is_known(&result->claims[i]);
        for (int32_t k = 0; k < i && new; k++)
            new = !is_known(&result->claims[k]) || strcmp(result->claims[k].why, result->claims[i].why) != 0;
        if (new)
            note++;
        if (new &&strcmp(result->claims[i].why, result->claims[row].why) == 0)
            return note;
    }
    return 0;
}

static void print_rows(FILE *out, const lab_result *result)
{
    char error[TEXT], bar[TEXT];
    fputs("| what | measured | closed form | error | bar | verdict |\n| --- | --- | --- | --- | --- | --- |\n", out);
    for (int32_t i = 0; i < result->claim_count; i++) {
        const lab_claim *row = &result->claims[i];
        error_text(row, error, sizeof error);
        bar_text(row, bar, sizeof bar);
        fprintf(out, "| %s | ", row->claim);
        pli_lab_report_number(out, row->ours, row->unit);
        fputs(" | ", out);
        pli_lab_report_number(out, row->figure, row->unit);
        fprintf(out, " | %s | %s | %s", error, bar, verdict_of(row));
        fprintf(out, is_known(row) ? " (%d) |\n" : " |\n", (int)note_of(result, i));
    }
    fputc('\n', out);
    int32_t last = 0;
    for (int32_t i = 0; i < result->claim_count; i++)
        if (is_known(&result->claims[i]) && note_of(result, i) > last)
            fprintf(out, "(%d) %s\n\n", (int)++last, result->claims[i].why);
}

static void print_check(FILE *out, const pli_lab_experiment_run *run, const char *heading, const char *folder)
{
    lab_result result = lab_result_of(run->lab);
    fprintf(out, "%s `%s`: %s\n\n%s.%s\n\n", heading, run->experiment->name, run->experiment->title,
            run->experiment->source, run->quick ? " *The short version.*" : "");
    print_rows(out, &result);
    pli_lab_report_text(out, result.report, folder);
    fprintf(out, "Made by `pliant-lab validate %s%s` in %.0f s.", run->experiment->name, run->quick ? " --quick" : "",
            ceil(run->seconds));
    for (int32_t i = 0; i < result.file_count; i++) {
        const char *name = result.files[i].name;
        if (strcmp(pli_cli_extension(name), "csv") == 0)
            fprintf(out, " Data: [%s](%s%s%s).", name, folder, *folder ? "/" : "", name);
    }
    fputc('\n', out);
}

/* ---- files ---------------------------------------------------------------------------------- */

pli_status pli_lab_validation_write(const pli_lab_experiment_run *run, const char *folder, pli_error *error)
{
    char *content = NULL;
    size_t size;
    pli_status status = pli_lab_experiment_write_files(run, folder, error);
    if (status != PLI_STATUS_OK)
        return status;
    FILE *out = open_memstream(&content, &size);
    if (out)
        print_check(out, run, "#", "");
    status = pli_lab_report_finish(folder, "report.md", out, &content, error);
    if (status != PLI_STATUS_OK)
        return status;
    return pli_lab_report_write_json(folder, "verdict.json", pli_lab_validation_verdict(run), error);
}

static void print_page(FILE *out, const pli_lab_experiment_run *runs, int32_t count)
{
    fputs(
        "# Validation\n\nThe engine against closed forms, at default settings (10 substeps of one iteration, 60 "
        "steps a "
        "second) unless a row names others. Each row has what was measured, the closed form, the error, the bar, and "
        "the verdict, computed from these; this page is made by `pliant-lab validate all`. A row that is known to miss "
        "its bar says so, with the reason below its table; the command fails when a row does otherwise than "
        "recorded.\n\n| check | what | rows | pass | miss, known | otherwise than recorded |\n"
        "| --- | --- | --- | --- | --- | --- |\n",
        out);
    for (int32_t i = 0; i < count; i++)
        fprintf(out, "| [%s](#%s) | %s | %d | %d | %d | %d |\n", runs[i].experiment->name, runs[i].experiment->name,
                runs[i].experiment->title, (int)lab_result_of(runs[i].lab).claim_count,
                (int)pli_lab_experiment_holding(&runs[i]), (int)pli_lab_validation_known(&runs[i]),
                (int)pli_lab_validation_surprises(&runs[i]));
    pli_lab_experiment_sections(out, runs, count, "validation", print_check);
}

pli_status pli_lab_validation_page(const pli_lab_experiment_run *runs, int32_t count, const char *folder,
                                   pli_error *error)
{
    char *content = NULL;
    size_t size;
    FILE *out = open_memstream(&content, &size);
    if (out)
        print_page(out, runs, count);
    return pli_lab_report_finish(folder, "validation.md", out, &content, error);
}
