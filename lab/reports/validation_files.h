// Tables of `pliant-lab validate` as text, JSON and Markdown: a report for each check and a page for all of them.
#ifndef PLI_LAB_VALIDATION_FILES_H
#define PLI_LAB_VALIDATION_FILES_H

#include "reports/experiment_files.h"

#include <stdio.h>

// Number of rows whose verdict differs from the recorded one: unexpected failures, and known failures that pass.
int32_t pli_lab_validation_surprises(const pli_lab_experiment_run *run);
// Number of known failures, whose reason is in the report.
int32_t pli_lab_validation_known(const pli_lab_experiment_run *run);
// Prints the table of the check as text.
void pli_lab_validation_print(FILE *out, const pli_lab_experiment_run *run);
// Verdict as JSON. The caller owns it.
json_t *pli_lab_validation_verdict(const pli_lab_experiment_run *run);
// Writes verdict.json and the files of the report into the folder.
pli_status pli_lab_validation_write(const pli_lab_experiment_run *run, const char *folder, pli_error *error);
// Writes validation.md, the page of all runs, into the folder; their files are in validation/NAME next to it.
pli_status pli_lab_validation_page(const pli_lab_experiment_run *runs, int32_t count, const char *folder,
                                   pli_error *error);

#endif
