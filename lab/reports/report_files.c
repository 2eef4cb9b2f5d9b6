// Parts of reports: numbers, rules, files, and links in a text that is shown in another folder.
#include "reports/report_files.h"

#include "frame/folders.h"
#include "frame/strings.h"
#include "frame/terminal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const rules[] = {"at least", "at most", "within"};

const char *pli_lab_report_rule_name(lab_rule rule) { return rules[rule]; }

void pli_lab_report_number(FILE *out, double value, const char *unit)
{
    if (isfinite(value))
        fprintf(out, "%.4g%s%s", value, *unit ? " " : "", unit);
    else
        fputs("–", out);
}

void pli_lab_report_rule(FILE *out, const lab_claim *claim)
{
    if (claim->rule == LAB_NEAR)
        fprintf(out, "within %.3g %% of it", 100.0 * claim->limit);
    else
        fprintf(out, "%s %.4g%s%s", rules[claim->rule], claim->limit, *claim->unit ? " " : "", claim->unit);
}

void pli_lab_report_text(FILE *out, const char *text, const char *folder)
{
    const char *found;
    while ((found = strstr(text, "]("))) {
        fwrite(text, 1, (size_t)(found + 2 - text), out);
        if (*folder)
            fprintf(out, "%s/", folder);
        text = found + 2;
    }
    fputs(text, out);
}

pli_status pli_lab_report_write(const char *folder, const char *name, const char *content, pli_error *error)
{
    char *path = pli_cli_format("%s/%s", folder, name);
    const void *pieces[] = {content};
    const size_t sizes[] = {strlen(content)};
    pli_status status = pli_cli_file_write(path, pieces, sizes, 1, error);
    free(path);
    return status;
}

pli_status pli_lab_report_finish(const char *folder, const char *name, FILE *out, char **content, pli_error *error)
{
    bool whole = out && !ferror(out);
    if (out && fclose(out) != 0)
        whole = false;
    pli_status status = whole ? pli_lab_report_write(folder, name, *content, error)
                              : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while writing '%s'", name);
    free(*content);
    *content = NULL;
    return status;
}

pli_status pli_lab_report_write_json(const char *folder, const char *name, json_t *object, pli_error *error)
{
    char *content = pli_cli_json_format(object, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    pli_status status = content
                            ? pli_lab_report_write(folder, name, content, error)
                            : pli_cli_fail(error, PLI_STATUS_OUT_OF_MEMORY, "out of memory while writing '%s'", name);
    free(content);
    return status;
}
