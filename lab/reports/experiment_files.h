// Files that `pliant-lab experiment` writes: reports, data, verdicts, and a page over all of them.
#ifndef PLI_LAB_EXPERIMENT_FILES_H
#define PLI_LAB_EXPERIMENT_FILES_H

#include "base/lab.h"

#include <jansson.h>
#include <stdio.h>

typedef struct pli_lab_experiment_run {
    const lab_experiment *experiment;
    lab *lab;
    double seconds;
    bool quick;
} pli_lab_experiment_run;

// Number of claims that hold.
int32_t pli_lab_experiment_holding(const pli_lab_experiment_run *run);
// Verdict as JSON: claim, the paper's figure, the measured figure, and whether the claim holds. The caller owns it.
json_t *pli_lab_experiment_verdict(const pli_lab_experiment_run *run);
// Writes the data and plots of the report into the folder.
pli_status pli_lab_experiment_write_files(const pli_lab_experiment_run *run, const char *folder, pli_error *error);
// Writes report.md, verdict.json and the files of the report into the folder, each through a temporary name.
pli_status pli_lab_experiment_write(const pli_lab_experiment_run *run, const char *folder, pli_error *error);
// Prints a section for each run, with an anchor; `print` gets the folder of its files relative to the page.
void pli_lab_experiment_sections(FILE *out, const pli_lab_experiment_run *runs, int32_t count, const char *below,
                                 void (*print)(FILE *out, const pli_lab_experiment_run *run, const char *heading,
                                               const char *folder));
// Writes experiments.md, the page of all runs, into the folder; their files are in experiments/NAME next to it.
pli_status pli_lab_experiment_page(const pli_lab_experiment_run *runs, int32_t count, const char *folder,
                                   pli_error *error);

#endif
