// Reports as Markdown and JSON.
#define _POSIX_C_SOURCE 200809L
#include "reports/experiment_files.h"

#include "reports/report_files.h"

#include "frame/folders.h"
#include "frame/terminal.h"
#include "frame/strings.h"

#include "base/report.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *claim_json(const lab_claim *claim)
{
    json_t *object = json_pack("{s:s, s:s, s:b, s:s, s:s}", "claim", claim->claim, "paper", claim->paper, "holds",
                               (int)lab_claim_holds(claim), "unit", claim->unit, "rule",
                               pli_lab_report_rule_name(claim->rule));
    json_object_set_new(object, "limit", pli_cli_json_number(claim->limit));
    json_object_set_new(object, "figure", pli_cli_json_number(claim->figure));
    json_object_set_new(object, "ours", pli_cli_json_number(claim->ours));
    json_object_set_new(object, "difference", pli_cli_json_number(claim->ours - claim->figure));
    json_object_set_new(object, "why", pli_cli_json_text(lab_claim_holds(claim) ? NULL : claim->why));
    return object;
}

int32_t pli_lab_experiment_holding(const pli_lab_experiment_run *run)
{
    lab_result result = lab_result_of(run->lab);
    int32_t holding = 0;
    for (int32_t i = 0; i < result.claim_count; i++)
        holding += lab_claim_holds(&result.claims[i]);
    return holding;
}

json_t *pli_lab_experiment_verdict(const pli_lab_experiment_run *run)
{
    lab_result result = lab_result_of(run->lab);
    json_t *claims = json_array(), *files = json_array();
    for (int32_t i = 0; i < result.claim_count; i++)
        json_array_append_new(claims, claim_json(&result.claims[i]));
    for (int32_t i = 0; i < result.file_count; i++)
        json_array_append_new(files, json_string(result.files[i].name));
    return json_pack("{s:s, s:s, s:s, s:b, s:f, s:i, s:o, s:o}", "experiment", run->experiment->name, "title",
                     run->experiment->title, "source", run->experiment->source, "quick", (int)run->quick, "seconds",
                     run->seconds, "holding", (int)pli_lab_experiment_holding(run), "claims", claims, "files", files);
}

/* ---- Markdown ------------------------------------------------------------------------------- */

static void print_claims(FILE *out, const lab_result *result)
{
    fputs("| claim | paper | figure | ours | holds when | verdict |\n| --- | --- | --- | --- | --- | --- |\n", out);
    for (int32_t i = 0; i < result->claim_count; i++) {
        const lab_claim *claim = &result->claims[i];
        fprintf(out, "| %s | %s | ", claim->claim, claim->paper);
        pli_lab_report_number(out, claim->figure, claim->unit);
        fputs(" | ", out);
        pli_lab_report_number(out, claim->ours, claim->unit);
        fputs(" | ", out);
        pli_lab_report_rule(out, claim);
        fprintf(out, " | %s |\n", lab_claim_holds(claim) ? "holds" : "**does not hold**");
    }
    fputc('\n', out);
}

static void print_difference(FILE *out, const lab_claim *claim)
{
    double against = isfinite(claim->figure) ? claim->figure : claim->limit;
    fprintf(out, "- *%s* Ours is ", claim->claim);
    pli_lab_report_number(out, claim->ours, claim->unit);
    fprintf(out, ", %s is ", isfinite(claim->figure) ? "the paper's" : "the limit");
    pli_lab_report_number(out, against, claim->unit);
    if (isfinite(claim->ours) && against != 0.0)
        fprintf(out, ": a difference of %+.3g %%", 100.0 * (claim->ours - against) / fabs(against));
    fprintf(out, ". %s\n", claim->why ? claim->why : "The cause is not known to us.");
}

static void print_differences(FILE *out, const lab_result *result)
{
    bool begun = false;
    for (int32_t i = 0; i < result->claim_count; i++) {
        if (lab_claim_holds(&result->claims[i]))
            continue;
        if (!begun)
            fputs("Where ours differs, by how much and why:\n\n", out);
        begun = true;
        print_difference(out, &result->claims[i]);
    }
    if (begun)
        fputc('\n', out);
}

static void print_report(FILE *out, const pli_lab_experiment_run *run, const char *heading, const char *folder)
{
    lab_result result = lab_result_of(run->lab);
    fprintf(out, "%s `%s`: %s\n\n%s.%s\n\n", heading, run->experiment->name, run->experiment->title,
            run->experiment->source, run->quick ? " *The short version.*" : "");
    print_claims(out, &result);
    print_differences(out, &result);
    pli_lab_report_text(out, result.report, folder);
    fprintf(out, "Made by `pliant-lab experiment %s%s` in %.0f s.", run->experiment->name, run->quick ? " --quick" : "",
            ceil(run->seconds));
    for (int32_t i = 0; i < result.file_count; i++) {
        const char *name = result.files[i].name;
        if (strcmp(pli_cli_extension(name), "csv") == 0)
            fprintf(out, " Data: [%s](%s%s%s).", name, folder, *folder ? "/" : "", name);
    }
    fputc('\n', out);
}

/* ---- files ---------------------------------------------------------------------------------- */

pli_status pli_lab_experiment_write_files(const pli_lab_experiment_run *run, const char *folder, pli_error *error)
{
    lab_result result = lab_result_of(run->lab);
    pli_status status = pli_succeed(error);
    for (int32_t i = 0; i < result.file_count && status == PLI_STATUS_OK; i++)
        status = pli_lab_report_write(folder, result.files[i].name, result.files[i].content, error);
    return status;
}

pli_status pli_lab_experiment_write(const pli_lab_experiment_run *run, const char *folder, pli_error *error)
{
    pli_status status = pli_lab_experiment_write_files(run, folder, error);
    if (status != PLI_STATUS_OK)
        return status;
    char *content = NULL;
    size_t size;
    FILE *out = open_memstream(&content, &size);
    if (out)
        print_report(out, run, "#", "");
    status = pli_lab_report_finish(folder, "report.md", out, &content, error);
    if (status != PLI_STATUS_OK)
        return status;
    return pli_lab_report_write_json(folder, "verdict.json", pli_lab_experiment_verdict(run), error);
}

void pli_lab_experiment_sections(FILE *out, const pli_lab_experiment_run *runs, int32_t count, const char *below,
                                 void (*print)(FILE *out, const pli_lab_experiment_run *run, const char *heading,
                                               const char *folder))
{
    for (int32_t i = 0; i < count; i++) {
        char *folder = pli_cli_format("%s/%s", below, runs[i].experiment->name);
        fprintf(out, "\n<a id=\"%s\"></a>\n", runs[i].experiment->name);
        print(out, &runs[i], "##", folder);
        free(folder);
    }
}

static void print_page(FILE *out, const pli_lab_experiment_run *runs, int32_t count)
{
    fputs(
        "# The papers, reproduced\n\nEvery table and figure by one command: `pliant-lab experiment NAME`. The figures "
        "below are measured and the verdicts are computed from them; this page is made by `pliant-lab experiment all`."
        "\n\n| experiment | what | claims that hold |\n| --- | --- | --- |\n",
        out);
    for (int32_t i = 0; i < count; i++)
        fprintf(out, "| [%s](#%s) | %s | %d of %d |\n", runs[i].experiment->name, runs[i].experiment->name,
                runs[i].experiment->title, (int)pli_lab_experiment_holding(&runs[i]),
                (int)lab_result_of(runs[i].lab).claim_count);
    pli_lab_experiment_sections(out, runs, count, "experiments", print_report);
}

pli_status pli_lab_experiment_page(const pli_lab_experiment_run *runs, int32_t count, const char *folder,
                                   pli_error *error)
{
    char *content = NULL;
    size_t size;
    FILE *out = open_memstream(&content, &size);
    if (out)
        print_page(out, runs, count);
    return pli_lab_report_finish(folder, "experiments.md", out, &content, error);
}
